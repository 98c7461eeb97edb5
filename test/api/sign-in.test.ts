import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { checkSignIn } from '../../bin/start-admin-user.ts';
import { type Browser, signedIn, visit } from '../support/person-browser.ts';
import { type ApiClient, apiClient } from '../support/api-client.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { IdentityProvider } from '../support/identity-provider.ts';
import { adminJson, adminOutput, operatorAt } from '../support/operator.ts';
import { aUser } from '../support/stores.ts';

let cloud: TestCloud;
let provider: IdentityProvider;
let api: ApiClient;
let ops: { id: string; key: string };
let shop: { id: string; key: string };

beforeAll(async () => {
  provider = await IdentityProvider.start();
  cloud = await startTestCloud({ publicUrl: 'http://hooks.localhost:3001' });
  api = await apiClient(cloud.base, cloud.key);
  provider.register({
    redirectUris: [`${cloud.base}/session/callback`],
    postLogoutRedirectUris: [`${cloud.origin}/console`],
  });
  provider.accounts.set('ann@acme.com', { name: 'Ann', groups: ['ops', 'everybody'] });
  provider.accounts.set('ben@acme.com', { groups: ['dev'] });
  provider.accounts.set('eve@other.com', {});
  provider.accounts.set('una@acme.com', { emailVerified: false });
  ops = await aUser(cloud);
  shop = await aUser(cloud);
  await setDocument();
});
afterAll(async () => {
  await cloud.stop();
  await provider.down();
});

const documentOf = (other: object = {}) => ({
  name: 'Acme SSO',
  issuer: provider.issuer,
  client_id: provider.clientId,
  client_secret: provider.clientSecret,
  scope: 'openid email profile groups offline_access',
  parameters: { ui_locales: 'de' },
  users: {
    [ops.id]: { owners: ['group:ops'], viewers: ['*@acme.com'] },
    [shop.id]: { owners: ['ANN@acme.com'] },
  },
  ...other,
});

function setDocument(other: object = {}) {
  const path = join(cloud.dataDir, 'sign-in.json');
  writeFileSync(path, JSON.stringify(documentOf(other)));
  return adminJson(operatorAt(cloud), ['sign-in', 'set', path]);
}

const setDocumentText = (text: string) => {
  const path = join(cloud.dataDir, 'sign-in.json');
  writeFileSync(path, text);
  return adminOutput(operatorAt(cloud), ['sign-in', 'set', path]);
};

const Shown = z.object({
  sign_in: z.object({ name: z.string(), url: z.string() }).nullable(),
  session: z
    .object({ email: z.string(), role: z.string(), csrf: z.string(), user: z.object({ id: z.string() }) })
    .nullable(),
});

const shownTo = async (browser: Browser) =>
  z.object({ data: Shown }).parse(await (await browser.send('GET', '/session')).json()).data;

/** A person who has signed in, and the value that changes need. */
async function aPerson(email: string, query = '') {
  const browser = await signedIn({ cloud, provider }, email, query);
  const { session } = await shownTo(browser);
  return { browser, csrf: { 'x-csrf': session?.csrf ?? expect.fail('not signed in') } };
}

const statusAndCode = async (response: Response) => {
  const body: unknown = await response.json();
  return [response.status, z.object({ code: z.string().optional() }).parse(body).code];
};

test('a page without a session learns how to sign in', async () => {
  const { status, body } = await api.as(null).get('/session');
  expect(status).toBe(200);
  expect(body.data).toEqual({
    sign_in: { name: 'Acme SSO', url: `${cloud.base}/session/sign_in` },
    session: null,
  });
});

test('a person signs in by code with PKCE, and comes back to its page with a new session', async () => {
  const browser = await visit(cloud, '?return_to=/console/sources%3Fq=a');
  const started = new URL(browser.location);
  expect(Object.fromEntries(started.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    scope: 'openid email profile groups offline_access',
    ui_locales: 'de',
    redirect_uri: `${cloud.base}/session/callback`,
  });
  const cookie = browser.setCookies.find((each) => each.startsWith('tributary-sign-in='));
  expect(cookie).toContain('; HttpOnly; SameSite=Lax; Max-Age=600');
  await browser.go(await provider.signIn(started, 'ann@acme.com'));
  expect(browser.location).toBe(`${cloud.origin}/console/sources?q=a`);
  const set = browser.setCookies.find((each) => each.startsWith('tributary-session='));
  expect(set).toMatch(/^tributary-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
  const shown = await browser.send('GET', '/session');
  expect(shown.headers.get('cache-control')).toBe('no-store');
  expect(await shown.json()).toEqual({
    data: {
      sign_in: { name: 'Acme SSO', url: `${cloud.base}/session/sign_in` },
      session: {
        email: 'ann@acme.com',
        name: 'Ann',
        role: 'owner',
        user: { id: ops.id, name: expect.any(String) as string },
        users: [
          { id: ops.id, name: expect.any(String) as string, role: 'owner' },
          { id: shop.id, name: expect.any(String) as string, role: 'owner' },
        ],
        scopes: ['read', 'send', 'manage', 'metrics'],
        csrf: expect.stringMatching(/^[\w-]{43}$/) as string,
        expires_at_ms: expect.any(Number) as number,
      },
    },
  });
  expect(await (await browser.send('GET', '/users/me')).json()).toMatchObject({ data: { id: ops.id } });
  expect(await (await browser.send('GET', '/users/me')).text()).not.toContain('api_key');
});

test('a person of several users signs in as the wished one, and as no other', async () => {
  const { browser } = await aPerson('ann@acme.com', `?user=${shop.id}`);
  expect((await shownTo(browser)).session?.user.id).toBe(shop.id);
  const refused = await signedIn({ cloud, provider }, 'ben@acme.com', `?user=${shop.id}`);
  expect(refused.location).toBe(`${cloud.origin}/console?sign_in=not_allowed`);
});

test.each([
  ['eve@other.com', 'not_allowed'],
  ['una@acme.com', 'unverified'],
])('%s is refused as %s, and gets no session', async (email, code) => {
  const browser = await signedIn({ cloud, provider }, email);
  expect(browser.location).toBe(`${cloud.origin}/console?sign_in=${code}`);
  expect((await shownTo(browser)).session).toBeNull();
});

test('a person who says no at the provider comes back with a code and no text of the provider', async () => {
  const browser = await visit(cloud);
  const state = new URL(browser.location).searchParams.get('state') ?? '';
  const query = new URLSearchParams({
    error: 'access_denied',
    error_description: '<b>words</b>',
    state,
    iss: provider.issuer,
  });
  await browser.go(new URL(`${cloud.base}/session/callback?${query.toString()}`));
  expect(browser.location).toBe(`${cloud.origin}/console?sign_in=denied`);
});

test.each(['https://evil.example/console', '//evil.example', '/console/../v1/keys', '/consoles', '/console/\\evil'])(
  'an address of return outside of the console is refused: %s',
  async (path) => {
    const { status, body } = await api.as(null).get('/session/sign_in', { return_to: path });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
  },
);

test('a callback is taken once, and only in its own browser', async () => {
  const browser = await visit(cloud);
  const callback = await provider.signIn(browser.location, 'ann@acme.com');
  const stranger = await visit(cloud);
  await stranger.go(callback);
  expect(stranger.location).toBe(`${cloud.origin}/console?sign_in=expired`);
  const kept = new Map(browser.cookies);
  await browser.go(callback);
  expect(browser.location).toBe(`${cloud.origin}/console`);
  const session = browser.cookies.get('tributary-session');
  browser.cookies.set('tributary-sign-in', kept.get('tributary-sign-in') ?? '');
  await browser.go(callback);
  expect(browser.location).toBe(`${cloud.origin}/console?sign_in=expired`);
  expect(browser.cookies.get('tributary-session')).toBe(session);
});

test.each(['', '?state=made-up&code=a', '?state=made-up&error=access_denied'])(
  'a callback of no sign-in leaves the one under way alone: "%s"',
  async (query) => {
    const browser = await visit(cloud);
    const callback = await provider.signIn(browser.location, 'ann@acme.com');
    await browser.go(new URL(`${cloud.base}/session/callback${query}`));
    expect(browser.location).toBe(`${cloud.origin}/console?sign_in=expired`);
    await browser.go(callback);
    expect(browser.location).toBe(`${cloud.origin}/console`);
    expect(browser.cookies.get('tributary-sign-in')).toBe('');
  },
);

test('a session that an attacker set before does not become the one of the person', async () => {
  const { browser: attacker } = await aPerson('ben@acme.com');
  const planted = attacker.cookies.get('tributary-session') ?? '';
  const browser = await visit(cloud);
  browser.cookies.set('tributary-session', planted);
  await browser.go(await provider.signIn(browser.location, 'ann@acme.com'));
  expect(browser.cookies.get('tributary-session')).not.toBe(planted);
  // The one before has ended.
  expect((await shownTo(attacker)).session).toBeNull();
});

test('a change needs the header x-csrf of its session', async () => {
  const { browser, csrf } = await aPerson('ann@acme.com');
  const { csrf: others } = await aPerson('ann@acme.com');
  const create = (headers: Record<string, string>) =>
    browser.send('POST', '/webhooks', { headers, body: { url: 'http://127.0.0.1:9/a' } });
  expect(await statusAndCode(await create({}))).toEqual([403, 'missing_csrf']);
  expect(await statusAndCode(await create({ 'x-csrf': '' }))).toEqual([403, 'missing_csrf']);
  expect(await statusAndCode(await create(others))).toEqual([403, 'missing_csrf']);
  expect((await create(csrf)).status).toBe(200);
});

test.each([
  ['of another host', { origin: 'https://evil.example' }],
  ['of the endpoints of components', { origin: 'http://hooks.localhost:3001' }],
  ['without a name', { origin: 'null' }],
  ['of another site, by its browser', { 'sec-fetch-site': 'cross-site' }],
  ['of another host of the site, by its browser', { 'sec-fetch-site': 'same-site' }],
])('a page %s cannot use a session', async (_what, headers) => {
  const { browser, csrf } = await aPerson('ann@acme.com');
  for (const path of ['/session', '/users/me', '/keys']) {
    const response = await browser.send('GET', path, { headers });
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(await statusAndCode(response)).toEqual([403, 'forbidden_origin']);
  }
  const change = await browser.send('POST', '/keys', {
    headers: { ...headers, ...csrf },
    body: { name: 'a', scopes: ['read'] },
  });
  expect(await statusAndCode(change)).toEqual([403, 'forbidden_origin']);
  const out = await browser.send('DELETE', '/session', { headers: { ...headers, ...csrf } });
  expect(await statusAndCode(out)).toEqual([403, 'forbidden_origin']);
});

test('a page of the console uses a session, and a key goes before it', async () => {
  const { browser } = await aPerson('ann@acme.com');
  const headers = { origin: cloud.origin, 'sec-fetch-site': 'same-origin' };
  expect((await browser.send('GET', '/users/me', { headers })).status).toBe(200);
  const withKey = await browser.send('GET', '/users/me', {
    headers: { authorization: `Bearer ${shop.key}`, origin: 'https://a.example' },
  });
  expect(await withKey.json()).toMatchObject({ data: { id: shop.id } });
  const withWrong = await browser.send('GET', '/users/me', { headers: { authorization: 'Bearer no' } });
  expect(withWrong.status).toBe(401);
});

test('a viewer reads, and changes nothing', async () => {
  const { browser, csrf } = await aPerson('ben@acme.com');
  expect((await shownTo(browser)).session?.role).toBe('viewer');
  expect((await browser.send('GET', '/users/me/webhooks')).status).toBe(200);
  const key = await browser.send('POST', '/keys', { headers: csrf, body: { name: 'a', scopes: ['read'] } });
  expect(await statusAndCode(key)).toEqual([403, 'missing_scope']);
  expect(await statusAndCode(await browser.send('GET', '/users/me/audit'))).toEqual([403, 'missing_scope']);
});

test('an owner makes keys, and the log says who', async () => {
  const { browser, csrf } = await aPerson('ann@acme.com', `?user=${shop.id}`);
  const made = await browser.send('POST', '/keys', { headers: csrf, body: { name: 'by Ann', scopes: ['read'] } });
  const { data } = z.object({ data: z.object({ id: z.string(), api_key: z.string() }) }).parse(await made.json());
  expect((await api.as(data.api_key).get('/users/me/webhooks')).status).toBe(200);
  const { body } = await api.as(shop.key).get('/users/me/audit', { key: 'ann@acme.com' });
  expect(body.data).toMatchObject([{ operation: 'createKey', by: { kind: 'person', id: null, name: 'ann@acme.com' } }]);
  expect((await browser.send('DELETE', `/keys/${data.id}`, { headers: csrf })).status).toBe(204);
  expect(await statusAndCode(await browser.send('GET', '/keys/current'))).toEqual([404, 'not_found']);
});

test('a sign-out ends the session at once, also for a copy of the cookie, and names the address of the provider', async () => {
  const { browser, csrf } = await aPerson('ann@acme.com');
  const copy = browser.cookies.get('tributary-session') ?? '';
  expect(await statusAndCode(await browser.send('DELETE', '/session'))).toEqual([403, 'missing_csrf']);
  const response = await browser.send('DELETE', '/session', { headers: csrf });
  const { data } = z.object({ data: z.object({ sign_out_url: z.string() }) }).parse(await response.json());
  const url = new URL(data.sign_out_url);
  expect(url.origin).toBe(provider.issuer);
  expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${cloud.origin}/console`);
  expect(url.searchParams.get('id_token_hint')?.split('.')).toHaveLength(3);
  expect(browser.cookies.get('tributary-session')).toBe('');
  browser.cookies.set('tributary-session', copy);
  expect((await browser.send('GET', '/users/me')).status).toBe(401);
  expect((await shownTo(browser)).session).toBeNull();
});

test('a token of a live stream works for a viewer, and the cookie alone does not', async () => {
  const owner = await aPerson('ann@acme.com');
  const { browser, csrf } = await aPerson('ben@acme.com');
  const code = 'export default { name: "a", version: "0.0.1", async run() {} };';
  const made = await owner.browser.send('POST', '/sources', { headers: owner.csrf, body: { component_code: code } });
  const { data: source } = z.object({ data: z.object({ id: z.string() }) }).parse(await made.json());
  const token = await browser.send('POST', `/sources/${source.id}/sse_tokens`, { headers: csrf, body: {} });
  const { data } = z.object({ data: z.object({ token: z.string() }) }).parse(await token.json());
  const poll = (query: string) =>
    fetch(`${cloud.base}/sources/${source.id}/sse${query}`, {
      headers: { cookie: browser.cookieHeader },
      signal: AbortSignal.timeout(5_000),
    });
  expect((await poll('')).status).toBe(401);
  const stream = await poll(`?token=${data.token}`);
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test('the document is refused where it is wrong, with its field, and stays as it was', async () => {
  const wrong = async (other: object) => setDocument(other).catch((error: Error) => error.message);
  expect(await wrong({ users: { nobody: { owners: ['ann@acme.com'] } } })).toContain('users.nobody is no id or name');
  expect(await wrong({ users: { [ops.id]: { owners: ['ann'] } } })).toContain(
    `users.${ops.id}.owners.0 must be an address`,
  );
  expect(await wrong({ users: {} })).toContain('users must name a user');
  expect(await wrong({ issuer: 'http://sso.acme.com' })).toContain('issuer must be an https address');
  expect(await wrong({ issuer: `${provider.issuer}/other` })).toContain('answered with status 404');
  expect(await wrong({ issuer: 'http://127.0.0.1:1' })).toContain('issuer cannot be used');
  expect(await wrong({ parameters: { state: 'a' } })).toContain('parameters must not name');
  expect(await wrong({ secret: 'a' })).toContain('secret');
  await expect(setDocumentText('{')).rejects.toThrow('The document is not JSON');
  await expect(setDocumentText(JSON.stringify({ name: 'a'.repeat(70_000) }))).rejects.toThrow('more than 64 KB');
  const shown = await adminOutput(operatorAt(cloud), ['sign-in', 'show', '--json']);
  expect(shown).not.toContain(provider.clientSecret);
  expect(JSON.parse(shown)).toMatchObject({
    name: 'Acme SSO',
    has_secret: true,
    redirect_address: `${cloud.base}/session/callback`,
  });
  expect((await signedIn({ cloud, provider }, 'ann@acme.com')).location).toBe(`${cloud.origin}/console`);
});

test('a document is refused, and a start ends, where components are at the host of the API', async () => {
  const names = { publicApiUrl: 'http://127.0.0.1:3000', ingressUrl: 'http://127.0.0.1:3001' };
  const other = operatorAt(cloud);
  const path = join(cloud.dataDir, 'sign-in.json');
  writeFileSync(path, '{}');
  const set = adminOutput({ ...other, names: { ...other.names, ...names } }, ['sign-in', 'set', path]);
  await expect(set).rejects.toThrow('Set PUBLIC_API_URL and PUBLIC_URL to different host names');
  const { dispatch, outputs } = cloud.cloud.open;
  const opened = { dispatch, tableName: outputs['TableName'] ?? '' };
  await expect(checkSignIn(opened, names)).rejects.toThrow(/another host name.*tributary admin sign-in remove/);
  await checkSignIn(opened, { ...names, publicApiUrl: 'http://localhost:3000' });
});

test('no secret of a sign-in is readable in the data, and none is in a log', async () => {
  const { browser } = await aPerson('ann@acme.com');
  const session = browser.cookies.get('tributary-session') ?? '';
  await cloud.restart();
  for (const secret of [provider.clientSecret, session]) {
    expect(() => execFileSync('grep', ['-rqaF', '--exclude=sign-in.json', secret, cloud.dataDir])).toThrow(
      'Command failed',
    );
    expect(cloud.logs.filter(({ text }) => text.includes(secret))).toEqual([]);
  }
  expect((await shownTo(browser)).session?.email).toBe('ann@acme.com');
});
