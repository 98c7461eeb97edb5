import { expect, test } from 'vitest';
import { OAuthClientId, UserId } from '../../../../../shared/domain/id.ts';
import { personIn, roleIn } from '../../../../../shared/domain/person/person.ts';
import { isConsolePath } from '../../../../../shared/domain/person/return-path.ts';
import { signInHostProblem } from '../../../../../shared/domain/person/sign-in-hosts.ts';
import { SignInDocument, type SignInSettings } from '../../../../../shared/domain/person/sign-in-settings.ts';
import { headersOf } from '../../../../../shared/http/ingress/ingress-request.ts';

const userId = UserId.parse('u_aaaaaa');
const access = { userId, owners: ['ann@acme.com', 'group:ops'], viewers: ['*@acme.com'] };
const settings: SignInSettings = {
  client: OAuthClientId.parse('oc_aaaaaa'),
  name: 'Acme',
  issuer: 'https://sso.acme.com',
  scope: 'openid',
  groupsClaim: 'groups',
  parameters: {},
  clientId: 'id',
  access: [access],
  changedAt: 0,
};

test.each([
  ['ann@acme.com', [], 'owner'],
  ['ANN@ACME.COM', [], 'owner'],
  ['ben@acme.com', [], 'viewer'],
  ['eve@other.com', ['ops'], 'owner'],
  ['eve@other.com', ['Ops'], undefined],
  ['eve@evil-acme.com', [], undefined],
  ['eve@acme.com.evil.example', [], undefined],
  // The Kelvin sign has the lower case k.
  ['ben@\u212Acme.com', [], undefined],
])('%s in the groups %j is %s', (email, groups, role) => {
  expect(roleIn(access, { subject: 'a', email, groups })).toBe(role);
});

test.each([
  ['no address', {}],
  ['an unverified address', { email: 'ann@acme.com', email_verified: false }],
  ['an unverified address as a text', { email: 'ann@acme.com', email_verified: 'false' }],
  ['an address with a quoted part', { email: '"eve@evil.example"@acme.com' }],
  ['an address with a line break', { email: 'ann@acme.com\n' }],
  ['an address that is no text', { email: ['ann@acme.com'] }],
])('claims with %s name no person', (_what, claims) => {
  expect(personIn({ sub: 'a', ...claims }, settings)).toBeUndefined();
});

test('only groups that the document names are kept, from a list or a text', () => {
  const groupsOf = (groups: unknown) => personIn({ sub: 'a', email: 'a@b.c', groups }, settings)?.groups;
  expect(groupsOf(['ops', 'ops', 'others', 7])).toEqual(['ops']);
  expect(groupsOf('ops')).toEqual(['ops']);
  expect(groupsOf(undefined)).toEqual([]);
});

test.each(['/console', '/console/sources?q=a', '/console#a'])('%s is a path of the console', (path) => {
  expect(isConsolePath(path)).toBe(true);
});

test.each([
  ...['//console', 'https://console', '/console/../v1', '/console/%2e%2e/v1', '/console\\@evil', '/consolex', ''],
  ...['/console/\n', `/console/${'a'.repeat(600)}`, 'console', '/\\evil/console'],
])('%j is no path of the console', (path) => {
  expect(isConsolePath(path)).toBe(false);
});

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3001', /another host name.*PUBLIC_API_URL and PUBLIC_URL/],
  ['https://t.example.com', 'https://t.example.com:3001', /another host name/],
  ['https://a.hooks.example.com', 'https://*.hooks.example.com', /another host name/],
  ['http://t.example.com', 'https://hooks.example.com', /with https/],
  ['https://t.example.com', 'https://hooks.example.com', undefined],
  ['http://localhost:3000', 'http://127.0.0.1:3001', undefined],
])('people sign in at %s beside %s, or the sentence says why not', (publicApiUrl, ingressUrl, problem) => {
  const found = signInHostProblem({ publicApiUrl, ingressUrl });
  if (problem) expect(found).toMatch(problem);
  else expect(found).toBeUndefined();
});

test('an entry has * only for the whole name before the @', () => {
  const document = (entry: string) => ({
    ...{ name: 'a', issuer: 'https://a.example', client_id: 'a' },
    users: { ops: { owners: [entry] } },
  });
  for (const entry of ['*', '*@', 'a*@acme.com', 'ann@*.com', 'group:', 'ann acme.com'])
    expect(SignInDocument.safeParse(document(entry)).success, entry).toBe(false);
  for (const entry of ['*@acme.com', 'ann@acme.com', 'group:a b'])
    expect(SignInDocument.safeParse(document(entry)).success, entry).toBe(true);
});

test('components never get the cookies of a session', () => {
  const cookies = [
    'a=1',
    '__Host-tributary-session=t',
    ' tributary-session=t',
    '__host-Tributary-Sign-In=t',
    'tributary=2',
  ];
  const event = { headers: {}, cookies } as unknown as Parameters<typeof headersOf>[0];
  expect(headersOf(event).get('cookie')).toBe('a=1; tributary=2');
});
