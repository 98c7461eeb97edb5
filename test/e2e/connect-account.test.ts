import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signInStore } from '../../shared/store/accounts/sign-ins.ts';
import { AuthorizationServer } from '../support/authorization-server.ts';
import { BrowserClient, type Page } from '../support/browser-client.ts';
import { testAssembly } from '../support/cloud.ts';
import { registerTestClient, oauthFunctionOf, jobSenderOf } from '../support/register-client.ts';
import { Scene } from '../support/scene.ts';
import { authorizationIn } from '../support/sign-in.ts';
import { aUser, tableOf } from '../support/stores.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let provider: AuthorizationServer;
beforeAll(async () => {
  scene = await Scene.open({ assembly: testAssembly({ logLevel: 'info' }) });
  provider = await AuthorizationServer.start();
  await registerTestClient(scene.cloud, { settings: { ...provider.settings, scopes: ['read', 'write'] } });
});
afterAll(async () => {
  await scene.close();
  await provider.stop();
});
afterEach(() => {
  provider.login = 'ada';
  provider.response = undefined;
});

const connect = async (body: Record<string, unknown> = { app: 'acme' }) => {
  const { status, body: response, text } = await scene.api.post('/accounts/connect', body);
  if (status !== 200) throw new Error(text);
  return response.data as { url: string; attempt_id: string; expires_at_ms: number };
};
const stateOf = async (id: string) => (await scene.api.get(`/accounts/connect/${id}`)).body.data;

/** Opens the address and comes back from the provider: the page of the callback. */
async function signIn(url: string, browser = new BrowserClient()): Promise<Page> {
  const opened = await browser.get(url);
  expect(opened.status).toBe(302);
  return browser.get(provider.consent(opened.location));
}

async function connected(body?: Record<string, unknown>, more?: Record<string, string>): Promise<string> {
  const { url, attempt_id } = await connect(body);
  const browser = new BrowserClient();
  await browser.submit(await signIn(url, browser), more);
  const state = await stateOf(attempt_id);
  expect(state).toEqual({ status: 'connected', account_id: expect.stringMatching(/^apn_/) as string });
  return state.account_id as string;
}

const accountOf = async (id: string) => (await scene.api.get(`/accounts/${id}`)).body.data;

describe('connecting an account', () => {
  test('leads to the provider, back to a question, and after a yes to an account', async () => {
    const { url, attempt_id, expires_at_ms } = await connect({ app: 'acme', name: 'Work' });
    expect(url.startsWith(`${scene.cloud.origin}/connect/`)).toBe(true);
    expect(expires_at_ms - Date.now()).toBeGreaterThan(590_000);
    const browser = new BrowserClient();
    const opened = await browser.get(url);
    const asked = new URL(opened.location).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: `${scene.cloud.origin}/connect/callback`,
      scope: 'read write',
      code_challenge_method: 'S256',
    });
    const question = await browser.get(provider.consent(opened.location));
    expect(question.status).toBe(200);
    expect(question.text).toMatch(/<strong>admin<\/strong>/);
    expect(question.text).toMatch(/ada/);
    expect(await stateOf(attempt_id)).toEqual({ status: 'waiting' });
    const response = await browser.submit(question);
    expect(response.text).toMatch(/The account is connected/);
    const { account_id } = await stateOf(attempt_id);
    expect(await accountOf(account_id)).toMatchObject({
      app: 'acme',
      name: 'Work',
      kind: 'oauth',
      status: 'connected',
      scopes: ['read', 'write'],
      field_names: ['oauth_access_token', 'oauth_client_id', 'oauth_scopes', 'oauth_uid'],
    });
    expect((await browser.submit(question)).text).toMatch(/The account is connected/);
    expect((await browser.get(url)).text).toMatch(/has been used/);
  });

  test('gives runs the access token and never the refresh token or the secret of the client', async () => {
    const account = await connected();
    const source = await scene.source(
      `export default { name: 'R', version: '0.0.1', props: { app: { type: 'app', app: 'acme' }, http: '$.interface.http' },
        run() { const a = this.app.$auth; this.$emit({ names: Object.keys(a).sort(), uid: a.oauth_uid, starts: a.oauth_access_token.slice(0, 3) }); } };`,
      { configured_props: { app: { authProvisionId: account } } },
    );
    await scene.api.post(`/sources/${source.id}/run`, {});
    const [seen] = await scene.eventsOf(source.id, 1, { expand: 'event' });
    expect(seen?.event).toMatchObject({
      names: ['oauth_access_token', 'oauth_client_id', 'oauth_scopes', 'oauth_uid'],
    });
  });

  test('an app without a client is refused with the command and the redirect address', async () => {
    const { status, body } = await scene.api.post('/accounts/connect', { app: 'other' });
    expect([status, body.code]).toEqual([409, 'no_oauth_client']);
    expect(body.error).toMatch(/admin oauth-clients add --app other/);
    expect(body.error).toContain(`${scene.cloud.origin}/connect/callback`);
  });

  test.each([
    [{ app: 'acme', scopes: ['a b'] }],
    [{ app: 'acme', scopes: ['a"b'] }],
    [{ app: 'acme', scopes: ['a\\b'] }],
    [{ app: 'acme', scopes: [] }],
    [{ app: 'acme', scopes: Array.from({ length: 51 }, String) }],
    [{ app: 'acme', parameters: { shop: 'x' } }],
    [{}],
  ])('%j is refused', async (body) => {
    expect((await scene.api.post('/accounts/connect', body)).status).toBe(400);
  });

  test('a reconnect keeps the account, and asks before another login takes its place', async () => {
    const account = await connected();
    const { url } = await connect({ account_id: account });
    provider.login = 'eve';
    const browser = new BrowserClient();
    const question = await signIn(url, browser);
    expect(question.text).toMatch(/another login than\s+before/);
    expect((await browser.submit(question)).text).toMatch(/another login than\s+before/);
    expect((await browser.submit(question, { other_login: 'yes' })).text).toMatch(/is connected/);
    expect(await connected({ account_id: account }, { other_login: 'yes' })).toBe(account);
  });

  test('deleting an account revokes its tokens, unless another account has the same login', async () => {
    provider.login = 'grace';
    const [one, two] = [await connected(), await connected()];
    const before = provider.revoked.length;
    await scene.api.delete(`/accounts/${one}`);
    expect(provider.revoked).toHaveLength(before);
    await scene.api.delete(`/accounts/${two}`);
    expect(provider.revoked).toHaveLength(before + 1);
    expect(provider.revoked.at(-1)).toMatch(/^rt-/);
  });

  test('a form that is sent several times at once makes one account', async () => {
    const total = async () => (await scene.api.get('/users/me/accounts')).body.page_info.total_count as number;
    const { url } = await connect();
    const browser = new BrowserClient();
    const question = await signIn(url, browser);
    const before = await total();
    const pages = await Promise.all(Array.from({ length: 6 }, () => browser.submit(question)));
    for (const { text } of pages) expect(text).toMatch(/The account is connected/);
    expect(await total()).toBe(before + 1);
  });

  test('two sign-ins of one address: the first that is confirmed ends it', async () => {
    const { url } = await connect();
    const [first, second] = [new BrowserClient(), new BrowserClient()];
    const [one, two] = [await signIn(url, first), await signIn(url, second)];
    expect((await first.submit(one)).text).toMatch(/is connected/);
    expect((await second.submit(two)).text).toMatch(/was confirmed first/);
  });

  test('an address can be opened ten times', async () => {
    const { url } = await connect();
    for (let n = 0; n < 10; n += 1) expect((await new BrowserClient().get(url)).status).toBe(302);
    expect((await new BrowserClient().get(url)).text).toMatch(/opened too often/);
  });
});

describe('a failed sign-in shows a sentence', () => {
  const failing = async (change: (back: URL) => void): Promise<{ page: Page; id: string }> => {
    const { url, attempt_id } = await connect();
    const browser = new BrowserClient();
    const back = provider.consent((await browser.get(url)).location);
    change(back);
    return { page: await browser.get(back), id: attempt_id };
  };

  test('a denied access, with the words of the provider as text', async () => {
    const { page, id } = await failing(({ searchParams }) => {
      searchParams.delete('code');
      searchParams.set('error', 'access_denied');
      searchParams.set('error_description', `<img src=x onerror=alert(1)>${'y'.repeat(1_000)}`);
    });
    expect(page.text).toMatch(/The access was not allowed/);
    expect(page.text).toContain('&lt;img src=x');
    expect(page.text).not.toContain('<img');
    expect(page.text).not.toContain('y'.repeat(300));
    const { status, reason } = await stateOf(id);
    expect([status, reason]).toEqual(['refused', expect.stringMatching(/^The access was not allowed/)]);
    // The words are for the browser that brought them.
    expect(reason).not.toMatch(/img|yy/);
  });

  test('an error of the standard is named in the reason, and no other word of the address', async () => {
    const reasonFor = async (error: string) => {
      const { page, id } = await failing(({ searchParams }) => {
        searchParams.delete('code');
        searchParams.set('error', error);
        searchParams.set('error_description', 'from the address');
      });
      expect(page.text).toContain(`${error}: from the address`);
      return (await stateOf(id)).reason;
    };
    expect(await reasonFor('invalid_scope')).toMatch(/reports an error \(invalid_scope\)\. Open/);
    expect(await reasonFor('words of the address')).toMatch(/reports an error\. Open/);
  });

  test('another issuer; nothing is sent to the provider', async () => {
    const sent = provider.tokenRequests.length;
    const { page } = await failing(({ searchParams }) => searchParams.set('iss', 'https://other.example'));
    expect(page.text).toMatch(/comes from another provider/);
    expect(provider.tokenRequests).toHaveLength(sent);
  });

  test('the issuer of the provider is taken', async () => {
    const { page } = await failing(({ searchParams }) => searchParams.set('iss', provider.url));
    expect(page.text).toMatch(/Connect this account/);
  });

  test('a wrong secret of the client names the command of the operator', async () => {
    provider.response = () => ({ status: 401, body: { error: 'invalid_client' } });
    const { page, id } = await failing(() => undefined);
    expect(page.text).toMatch(/admin oauth-clients add --app acme/);
    expect((await stateOf(id)).reason).toMatch(/admin oauth-clients add/);
  });

  test('a code of another sign-in', async () => {
    const { url } = await connect();
    const browser = new BrowserClient();
    const other = provider.consent((await new BrowserClient().get(url)).location).searchParams.get('code');
    const { page } = await failing(({ searchParams }) => searchParams.set('code', other ?? ''));
    expect(page.text).toMatch(/The sign-in failed/);
    expect(browser.cookies.size).toBe(0);
  });
});

describe('attacks', () => {
  test('a callback without the cookie, or with one of another browser, shows nothing and ends nothing', async () => {
    const { url } = await connect();
    const browser = new BrowserClient();
    const back = provider.consent((await browser.get(url)).location);
    back.searchParams.set('error_description', 'from the address');
    const stranger = new BrowserClient();
    const [name = ''] = browser.cookies.keys();
    expect((await stranger.get(back)).text).toMatch(/belongs to another browser/);
    stranger.cookies.set(name, 'x'.repeat(43));
    const page = await stranger.get(back);
    expect(page.text).toMatch(/belongs to another browser/);
    expect(page.text).not.toMatch(/from the address/);
    expect((await browser.get(back)).text).toMatch(/Connect this account/);
  });

  test('the callback comes once: the question is not shown again, so that nobody with the cookie can answer it', async () => {
    const { url, attempt_id } = await connect();
    const browser = new BrowserClient();
    const back = provider.consent((await browser.get(url)).location);
    expect((await browser.get(back)).text).toMatch(/Connect this account/);
    const again = await browser.get(back);
    expect(again.text).toMatch(/has come back already/);
    expect(again.text).not.toMatch(/name="confirmation"/);
    expect(await stateOf(attempt_id)).toEqual({ status: 'waiting' });
  });

  test('two callbacks at once: one is taken', async () => {
    const { url } = await connect();
    const browser = new BrowserClient();
    const back = provider.consent((await browser.get(url)).location);
    const pages = await Promise.all([browser.get(back), browser.get(back), browser.get(back)]);
    expect(pages.filter(({ text }) => text.includes('Connect this account?'))).toHaveLength(1);
  });

  test('a form without the value of the page, or with that of another one, stores nothing', async () => {
    const { url, attempt_id } = await connect();
    const browser = new BrowserClient();
    const question = await signIn(url, browser);
    const other = await signIn((await connect()).url, new BrowserClient());
    const [, value = ''] = /name="confirmation" value="([^"]+)"/.exec(other.text) ?? [];
    for (const confirmation of ['', 'x', value])
      expect((await browser.submit(question, { confirmation })).status).toBe(409);
    expect((await new BrowserClient().submit(question)).text).toMatch(/another browser/);
    expect(await stateOf(attempt_id)).toEqual({ status: 'waiting' });
  });

  test('an endpoint of a component on the same host overwrites the cookie: the sign-in is refused, and starts anew', async () => {
    const source = await scene.source(
      `export default { name: 'S', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true } },
        run({ query }) { this.http.respond({ status: 200, headers: { 'set-cookie': query.name + '=' + 'e'.repeat(43) + '; Path=/connect' }, body: 'x' }); } };`,
    );
    const { url } = await connect();
    const browser = new BrowserClient();
    const back = provider.consent((await browser.get(url)).location);
    const [name = ''] = browser.cookies.keys();
    await browser.get(`${source.endpoint}?name=${name}`);
    expect(browser.cookies.get(name)).toBe('e'.repeat(43));
    expect((await browser.get(back)).text).toMatch(/another browser/);
    const question = await signIn(url, browser);
    expect((await browser.submit(question)).text).toMatch(/is connected/);
  });

  test('pages have no script, send no referrer, and stand in no frame', async () => {
    const { url } = await connect();
    const browser = new BrowserClient();
    const opened = await browser.get(url);
    const question = await browser.get(provider.consent(opened.location));
    for (const { headers } of [opened, question]) {
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
      );
    }
    expect(opened.headers.get('set-cookie')).toMatch(/; Path=\/connect; HttpOnly; SameSite=Lax; Max-Age=1200$/);
    expect(question.text).not.toMatch(/<script|https?:\/\/(?!127\.0\.0\.1)/);
  });

  test('the sign-in of another user is not found', async () => {
    const { attempt_id } = await connect();
    const other = scene.api.as((await aUser(scene.cloud)).key);
    expect((await other.get(`/accounts/connect/${attempt_id}`)).status).toBe(404);
    expect(await stateOf(attempt_id)).toEqual({ status: 'waiting' });
  });

  test.each(['/connect/x', '/connect/', '/connect/callback', '/connect/callback?state=x', '/connect/a/b'])(
    '%s shows a page that repeats nothing',
    async (path) => {
      const page = await new BrowserClient().get(`${scene.cloud.origin}${path}`);
      expect(page.status).toBe(404);
      expect(page.text).toMatch(/This address is not valid/);
    },
  );
});

describe('an authorization without a confirmation', () => {
  test('is revoked and dropped, and cannot be confirmed any more', async () => {
    provider.login = 'nobody-else';
    const { url } = await connect();
    const browser = new BrowserClient();
    const question = await signIn(url, browser);
    const before = provider.revoked.length;
    const authorization = authorizationIn(question);
    await jobSenderOf(scene.cloud)([{ message: { kind: 'flight', ...authorization }, delaySeconds: 0 }]);
    const { attemptId, stateHash } = authorization;
    const store = signInStore(tableOf(scene.cloud));
    await until('the tokens are dropped', async () => !(await store.findAuthorization(attemptId, stateHash))?.tokens);
    expect(provider.revoked.slice(before)).toEqual([expect.stringMatching(/^rt-/)]);
    await oauthFunctionOf(scene.cloud).drop(authorization);
    expect(provider.revoked).toHaveLength(before + 1);
    expect((await browser.submit(question)).text).toMatch(/took too long/);
  });

  test('is kept once it is confirmed', async () => {
    const { url } = await connect();
    const browser = new BrowserClient();
    const question = await signIn(url, browser);
    await browser.submit(question);
    const before = provider.revoked.length;
    await oauthFunctionOf(scene.cloud).drop(authorizationIn(question));
    expect(provider.revoked).toHaveLength(before);
  });
});

test('a user has at most 100 sign-ins that wait, also when they come at once; another user has none of them', async () => {
  const api = scene.api.as((await aUser(scene.cloud)).key);
  const statuses: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => api.post('/accounts/connect', { app: 'acme' })),
    );
    statuses.push(...responses.map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(100);
  const { status, body, headers } = await api.post('/accounts/connect', { app: 'acme' });
  expect([status, body.code]).toEqual([429, 'too_many_attempts']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(500);
  expect((await scene.api.post('/accounts/connect', { app: 'acme' })).status).toBe(200);
});

test('no secret is in a log, in an answer, or readable on the disk', async () => {
  const { url } = await connect();
  const browser = new BrowserClient();
  const question = await signIn(url, browser);
  await browser.submit(question);
  const secrets = [
    'client-secret-canary',
    url.slice(url.lastIndexOf('/') + 1),
    ...browser.cookies.values(),
    ...provider.tokenRequests.flatMap(({ code = [], code_verifier = [], refresh_token = [] }) =>
      [code, code_verifier, refresh_token].flat(),
    ),
  ];
  const responses = [await scene.api.get('/users/me/accounts'), await scene.api.get('/apps')].map(({ text }) => text);
  const logs = scene.cloud.logs.map(({ text }) => text);
  expect(logs.join('\n')).toMatch(/connect\.callback/);
  const files = readdirSync(scene.cloud.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'));
  expect(secrets.length).toBeGreaterThan(5);
  for (const text of [...responses, ...logs, ...files])
    for (const secret of secrets) expect(text.includes(secret), secret).toBe(false);
});
