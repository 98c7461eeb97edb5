import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { createIdentityProvider } from '../../../../../shared/aws/identity/identity-provider.ts';
import { createAgent } from '../../../../../shared/aws/deliver-http.ts';
import { createProviderFetch } from '../../../../../shared/aws/oauth/provider-fetch.ts';
import type { Vault } from '../../../../../shared/aws/vault.ts';
import { OAuthClientId, UserId } from '../../../../../shared/domain/id.ts';
import type { SignInSettings } from '../../../../../shared/domain/person/sign-in-settings.ts';
import { hashOfKey } from '../../../../../shared/domain/user/key-hash.ts';
import { credentialsOf } from '../../../../../shared/http/authentication.ts';
import { createSessionAuthenticator } from '../../../../../shared/http/sessions/session-authentication.ts';
import { sessionCookie } from '../../../../../shared/http/sessions/session-cookies.ts';
import {
  confirmPerson,
  discoverProvider,
  identifyPerson,
  signOutAddressOf,
} from '../../../../../shared/service/identity/handle-identity.ts';
import { createApiKey } from '../../../../../shared/service/keys/change-keys.ts';
import { beginSession, createFindAuthorization } from '../../../../../shared/service/sessions/begin-session.ts';
import { confirmSession } from '../../../../../shared/service/sessions/confirm-session.ts';
import { finishSession } from '../../../../../shared/service/sessions/finish-session.ts';
import { readSession } from '../../../../../shared/service/sessions/read-session.ts';
import type { SessionContext } from '../../../../../shared/service/sessions/session-context.ts';
import { keyLists } from '../../../../../shared/store/users/key-lists.ts';
import { sessionStore } from '../../../../../shared/store/users/sessions.ts';
import { signInSettingsStore } from '../../../../../shared/store/users/sign-in-settings-store.ts';
import { userStore } from '../../../../../shared/store/users/users.ts';
import { openEventTable } from '../../../../support/event-table.ts';
import { IdentityProvider } from '../../../../support/identity-provider.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGIN = 'https://tributary.example.com';
const userId = UserId.parse('u_0mj0000009a1b2c3d4e5f6g7');

let provider: IdentityProvider;
beforeAll(async () => {
  provider = await IdentityProvider.start();
  provider.register({ redirectUris: [`${ORIGIN}/v1/session/callback`] });
});
afterAll(() => provider.down());

/** Seals nothing, but refuses the fields of another object. */
const openVault: Pick<Vault, 'encrypt' | 'decrypt'> = {
  encrypt: ({ id }, fields) => Promise.resolve({ dataKey: '', nonce: id, text: JSON.stringify(fields) }),
  decrypt: ({ id, sealed: { nonce, text } }) =>
    nonce === id
      ? Promise.resolve(JSON.parse(text) as Record<string, string>)
      : Promise.reject(new Error('not its own')),
};

/** The service on the table of this machine, with an identity provider that none of us wrote. */
async function aService() {
  const clock = new FakeClock();
  const { table, close } = await openEventTable({ clock });
  onTestFinished(close);
  const now = () => clock.now();
  const users = userStore(table);
  const about = { username: 'ops', email: 'a@b.c', plan: 'free', createdAt: 0 } as const;
  await users.create({ ...about, id: userId, keyHash: hashOfKey('first') });
  const signInSettings = signInSettingsStore(table);
  const settings: SignInSettings = {
    client: OAuthClientId.parse('oc_aaaaaa'),
    name: 'Acme SSO',
    issuer: provider.issuer,
    scope: 'openid email profile groups',
    groupsClaim: 'groups',
    parameters: {},
    clientId: provider.clientId,
    secret: { dataKey: '', nonce: 'oc_aaaaaa', text: JSON.stringify({ client_secret: provider.clientSecret }) },
    access: [{ userId, owners: ['group:ops'], viewers: ['*@acme.com'] }],
    changedAt: 0,
  };
  await signInSettings.put(settings);
  const fetches = createProviderFetch(createAgent({ allowPrivate: true, allowList: [] }));
  const identityProvider = createIdentityProvider({ ofIssuer: fetches, ofOthers: fetches }, now);
  const identity = { identityProvider, signInSettings, vault: openVault, publicApiUrl: ORIGIN };
  /** Why sign-ins failed, as the log says it. */
  const reasons: string[] = [];
  const oauthFunction: SessionContext['oauthFunction'] = {
    discover: (issuer) => discoverProvider(identity, { kind: 'discover', issuer }),
    async identify(request) {
      const result = await identifyPerson(identity, { kind: 'identify', ...request });
      if (result.state === 'failed') reasons.push(result.reason);
      return result;
    },
    confirmPerson: (request) => confirmPerson(identity, { kind: 'confirm-person', ...request }),
    signOut: (request) => signOutAddressOf(identity, { kind: 'sign-out', ...request }),
  };
  const sessions = sessionStore(table);
  const context: SessionContext = {
    readSettings: signInSettings.find,
    sessions,
    users,
    oauthFunction,
    publicApiUrl: ORIGIN,
    random: (bytes) => randomBytes(bytes),
    now,
  };
  const finding = { ...context, findAuthorization: createFindAuthorization(context) };

  async function begin() {
    const started = await beginSession(finding, { returnTo: undefined, user: undefined });
    return typeof started === 'string' ? expect.fail(started) : started;
  }
  /** A refusal, or the token of the cookie. */
  async function finish(email: string, other: Partial<SessionContext> = {}, network = '192.0.2.1') {
    const { location, cookie } = await begin();
    const { search } = await provider.signIn(location, email);
    const callback = { query: search.slice(1), cookies: [cookie], before: undefined, network };
    return finishSession({ ...context, ...other }, callback);
  }
  async function signIn(email: string, other?: Partial<SessionContext>) {
    const signedIn = await finish(email, other);
    return typeof signedIn === 'string' ? expect.fail(signedIn) : signedIn.token;
  }
  /** As `GET /v1/session` does it. */
  async function visit(token: string) {
    const found = await readSession(context, token);
    if (!found) return undefined;
    const session = await confirmSession(context, found.hash, found.session);
    return session && (await readSession(context, token))?.role;
  }
  /** As another operation does it. */
  const read = (token: string, method = 'GET', headers: Record<string, string> = {}, prefix = '__Host-') =>
    createSessionAuthenticator(
      () => Promise.reject(new Error('by key')),
      context,
    )(
      credentialsOf({
        headers,
        rawQueryString: '',
        cookies: [`${prefix}tributary-session=${token}`],
        requestContext: { http: { method, sourceIp: '192.0.2.1' } },
      }),
    );
  return {
    clock,
    table,
    users,
    sessions,
    signInSettings,
    settings,
    context,
    reasons,
    begin,
    finish,
    signIn,
    visit,
    read,
  };
}

/** A person of the provider, for one test. */
function aPerson(email: string, account: { groups?: readonly string[] } = {}) {
  provider.accounts.set(email, account);
  onTestFinished(() => void provider.accounts.delete(email));
  return email;
}

const refreshes = () => provider.grants.filter((grant) => grant === 'refresh_token').length;

test('the provider is asked after 10 minutes of use, and new groups decide', async () => {
  const { clock, signIn, visit } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  const token = await signIn(ann);
  const before = refreshes();
  clock.advance(9 * MINUTE);
  expect(await visit(token)).toBe('owner');
  expect(refreshes()).toBe(before);
  provider.accounts.set(ann, { groups: [] });
  clock.advance(MINUTE);
  expect(await visit(token)).toBe('viewer');
  expect(refreshes()).toBe(before + 1);
});

test('a person who lost the group is signed out at the next question', async () => {
  const { clock, signIn, visit, read } = await aService();
  const ann = aPerson('ann@other.com', { groups: ['ops'] });
  const token = await signIn(ann);
  provider.accounts.set(ann, { groups: ['others'] });
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBeUndefined();
  await expect(read(token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('over TLS, only a cookie that browsers set and send over TLS opens a session: a page without TLS can plant none', async () => {
  const { signIn, read } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  expect(sessionCookie(token, ORIGIN)).toBe(
    `__Host-tributary-session=${token}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200`,
  );
  expect((await read(token)).session?.email).toBe('ann@acme.com');
  await expect(read(token, 'GET', {}, '')).rejects.toThrow('by key');
});

test('two requests at once ask the provider once, and sign nobody out', async () => {
  const { clock, signIn, visit } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  clock.advance(10 * MINUTE);
  const before = refreshes();
  expect(await Promise.all([visit(token), visit(token), visit(token)])).toEqual(['owner', 'owner', 'owner']);
  expect(refreshes()).toBe(before + 1);
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBe('owner');
});

test('a provider that is down ends no session for an hour, and is asked once a minute', async () => {
  const { clock, signIn, visit, read } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  await provider.down();
  onTestFinished(() => provider.up());
  for (let minutes = 10; minutes < 60; minutes += 10) {
    clock.advance(10 * MINUTE);
    expect(await visit(token)).toBe('owner');
    expect(await read(token)).toMatchObject({ userId });
  }
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBeUndefined();
});

test('a session goes on when the provider is back', async () => {
  const { clock, signIn, visit } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  await provider.down();
  clock.advance(50 * MINUTE);
  expect(await visit(token)).toBe('owner');
  await provider.up();
  clock.advance(MINUTE);
  expect(await visit(token)).toBe('owner');
  clock.advance(55 * MINUTE);
  expect(await visit(token)).toBe('owner');
});

test('a refresh token that the provider no longer accepts ends the session', async () => {
  const { clock, sessions, signIn, visit } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  const used = await sessions.tokens(hashOfKey(token));
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBe('owner');
  await sessions.putTokens(hashOfKey(token), used ?? expect.fail(), clock.now() + HOUR);
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBeUndefined();
  expect(await sessions.tokens(hashOfKey(token))).toBeUndefined();
});

test('another person in the place of the one of a session ends it', async () => {
  const { clock, signIn, visit } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  provider.changeClaims = (claims) => ({ ...claims, sub: 'another' });
  onTestFinished(() => void (provider.changeClaims = (claims) => claims));
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBeUndefined();
});

test('a session ends after 12 hours, and after one without a refresh token', async () => {
  const { clock, context, signIn, visit } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  const token = await signIn(ann);
  const { oauthFunction } = context;
  const short = await signIn(ann, {
    oauthFunction: {
      ...oauthFunction,
      identify: async (request) => {
        const result = await oauthFunction.identify(request);
        return result.state === 'identified' ? { ...result, hasRefreshToken: false } : result;
      },
    },
  });
  const before = refreshes();
  clock.advance(59 * MINUTE);
  expect(await visit(short)).toBe('owner');
  expect(refreshes()).toBe(before);
  clock.advance(MINUTE);
  expect(await visit(short)).toBeUndefined();
  for (let hours = 1; hours < 12; hours += 1) {
    expect(await visit(token)).toBe('owner');
    clock.advance(HOUR);
  }
  expect(await visit(token)).toBeUndefined();
});

test('15 minutes after the last question a session is stale, until the provider is asked again', async () => {
  const { clock, signIn, visit, read } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  clock.advance(14 * MINUTE);
  expect(await read(token)).toMatchObject({ scopes: ['read', 'send', 'manage', 'metrics'] });
  clock.advance(MINUTE);
  await expect(read(token)).rejects.toMatchObject({ code: 'session_stale' });
  expect(await visit(token)).toBe('owner');
  expect(await read(token)).toMatchObject({ userId });
});

test('a person who is taken out of the document, a changed client, and a removed document end sessions', async () => {
  const { settings, signInSettings, signIn, read } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  const access = [{ userId, owners: [], viewers: ['ben@acme.com'] }];
  for (const changed of [
    { ...settings, access },
    { ...settings, client: OAuthClientId.parse('oc_bbbbbb') },
  ]) {
    await signInSettings.put(changed);
    await expect(read(token)).rejects.toMatchObject({ code: 'unauthenticated' });
    await signInSettings.put(settings);
    expect(await read(token)).toMatchObject({ userId });
  }
  await signInSettings.remove();
  await expect(read(token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a suspended user and a removed one are refused', async () => {
  const { users, finish, signIn, read } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  const token = await signIn(ann);
  await users.setSuspension(userId, 1);
  await expect(read(token)).rejects.toMatchObject({ code: 'suspended' });
  expect(await finish(ann)).toBe('not_allowed');
  await users.setSuspension(userId, undefined);
  await users.remove(userId);
  await expect(read(token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('the oldest of more than 20 sessions of a person ends', async () => {
  const { signIn, finish, read } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  const oldest = await signIn(ann);
  const second = await signIn(ann);
  for (let more = 2; more < 20; more += 1) await finish(ann);
  expect(await read(oldest)).toMatchObject({ userId });
  await finish(ann);
  await expect(read(oldest)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await read(second)).toMatchObject({ userId });
});

test('one network ends 60 sign-ins in 10 minutes, and another one is not refused for it', async () => {
  const { clock, context, begin, finish } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  const oauthFunction = { ...context.oauthFunction, identify: () => Promise.resolve({ state: 'denied' } as const) };
  for (let callbacks = 0; callbacks < 60; callbacks += 1) {
    const { location, cookie } = await begin();
    const query = new URLSearchParams({ state: new URL(location).searchParams.get('state') ?? '' }).toString();
    const callback = { query, cookies: [cookie], before: undefined, network: '192.0.2.1' };
    expect(await finishSession({ ...context, oauthFunction }, callback)).toBe('denied');
  }
  expect(await finish(ann)).toBe('too_many');
  expect(await finish(ann, {}, '192.0.2.2')).toMatchObject({ returnTo: '/console' });
  clock.advance(10 * MINUTE);
  expect(await finish(ann)).toMatchObject({ returnTo: '/console' });
});

test('a sign-in ends within 10 minutes', async () => {
  const { clock, context, begin } = await aService();
  const { location, cookie } = await begin();
  const { search } = await provider.signIn(location, aPerson('ann@acme.com'));
  clock.advance(10 * MINUTE);
  const callback = { query: search.slice(1), cookies: [cookie], before: undefined, network: '192.0.2.1' };
  expect(await finishSession(context, callback)).toBe('expired');
});

test.each([4 * 60, -4 * 60, -64 * 60])('a provider whose clock is %i s off signs people in', async (seconds) => {
  provider.clockOffsetSeconds = seconds;
  onTestFinished(() => void (provider.clockOffsetSeconds = 0));
  const { finish } = await aService();
  expect(await finish(aPerson('ann@acme.com'))).toMatchObject({ returnTo: '/console' });
});

test.each([
  ['of another audience', { aud: 'another' }, 'CLAIM_COMPARISON'],
  ['of another issuer', { iss: 'https://other.example' }, 'CLAIM_COMPARISON'],
  ['with another nonce', { nonce: 'another' }, 'CLAIM_COMPARISON'],
  ['that expired', { exp: 1_000 }, 'TIMESTAMP_CHECK'],
])('a token %s signs nobody in', async (_what, changed, check) => {
  provider.changeClaims = (claims) => ({ ...claims, ...changed });
  onTestFinished(() => void (provider.changeClaims = (claims) => claims));
  const { finish, reasons } = await aService();
  expect(await finish(aPerson('ann@acme.com'))).toBe('provider_failed');
  expect(reasons).toEqual([`The response of the identity provider is not valid (OAUTH_JWT_${check}_FAILED).`]);
});

test.each(['with the secret of the client', 'with the public key as the secret'] as const)(
  'a token that is signed by HS256 %s signs nobody in',
  async (how) => {
    provider.hmacKey = how === 'with the secret of the client' ? provider.clientSecret : provider.publicKeyText;
    onTestFinished(() => void (provider.hmacKey = undefined));
    const { finish, reasons } = await aService();
    expect(await finish(aPerson('ann@acme.com'))).toBe('provider_failed');
    expect(reasons).toEqual(['The response of the identity provider is not valid (OAUTH_INVALID_RESPONSE).']);
  },
);

test('a person whose groups the provider leaves out is told so, unless the address is enough', async () => {
  provider.changeClaims = ({ groups: _groups, ...claims }) => ({ ...claims, _claim_names: { groups: 'src1' } });
  onTestFinished(() => void (provider.changeClaims = (claims) => claims));
  const { finish, settings, signInSettings } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  // The address for user information knows them.
  expect(await finish(ann)).toMatchObject({ session: { person: { groups: ['ops'] } } });
  const without = { ...settings, scope: 'openid email profile' };
  await signInSettings.put(without);
  expect(await finish(ann)).toMatchObject({ session: { person: { groups: [] } } });
  await signInSettings.put({ ...without, access: [{ userId, owners: ['group:ops'], viewers: [] }] });
  expect(await finish(ann)).toBe('groups_left_out');
});

test('a key that the provider replaced is fetched a minute after the last time', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, signIn, finish, visit } = await aService();
  const ann = aPerson('ann@acme.com', { groups: ['ops'] });
  const token = await signIn(ann);
  provider.rotateKeys();
  expect(await finish(ann)).toBe('provider_failed');
  vi.setSystemTime(Date.now() + 61_000);
  expect(await finish(ann)).toMatchObject({ returnTo: '/console' });
  clock.advance(10 * MINUTE);
  expect(await visit(token)).toBe('owner');
});

test('a change needs the header x-csrf, over TLS, too', async () => {
  const { sessions, signIn, read } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  const csrf = (await sessions.find(hashOfKey(token)))?.csrf ?? '';
  for (const method of ['POST', 'PUT', 'DELETE'])
    await expect(read(token, method)).rejects.toMatchObject({ code: 'missing_csrf' });
  expect(await read(token, 'POST', { 'x-csrf': csrf, origin: ORIGIN })).toMatchObject({ userId });
  for (const site of ['same-site', 'cross-site'])
    await expect(read(token, 'GET', { 'sec-fetch-site': site })).rejects.toMatchObject({ code: 'forbidden_origin' });
  // A page that was changed on its way, without TLS.
  await expect(read(token, 'GET', { origin: 'http://tributary.example.com' })).rejects.toMatchObject({
    code: 'forbidden_origin',
  });
});

test('a session that ended a moment ago makes no key', async () => {
  const { table, users, sessions, signInSettings, context, signIn } = await aService();
  const token = await signIn(aPerson('ann@acme.com', { groups: ['ops'] }));
  const session = { hash: hashOfKey(token) };
  const caller = { userId, apiKey: undefined, session };
  const services = { ...context, users, signInSettings, keyLists: keyLists(table) };
  const make = (lists = services.keyLists) =>
    createApiKey({ ...services, keyLists: lists }, caller, { name: 'a', scopes: ['manage'], validUntil: undefined });
  expect((await make()).key.scopes).toEqual(['manage']);
  // It ends between the read and the write.
  const { change } = services.keyLists;
  const late = make({
    ...services.keyLists,
    change: async (id, changed) => {
      await sessions.remove(session.hash);
      return change(id, changed);
    },
  });
  await expect(late).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await services.keyLists.read(userId)).keys).toHaveLength(1);
});
