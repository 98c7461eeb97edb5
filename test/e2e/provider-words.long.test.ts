import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuthorizationServer } from '../support/authorization-server.ts';
import { BrowserClient, type Page } from '../support/browser-client.ts';
import { testAssembly } from '../support/cloud.ts';
import { closeServer } from '../support/close-server.ts';
import { registerTestClient } from '../support/register-client.ts';
import { Scene } from '../support/scene.ts';
import { signInAt } from '../support/sign-in.ts';
import { until } from '../support/until.ts';

/** Words of a provider in its responses: codes of the standard are shown, and no other word. */

const SECRET = 'cs/+&=7 f3a9c51d2e84';
let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open({ assembly: testAssembly({ logLevel: 'info' }) });
});
afterAll(() => scene.close());

const connect = async (app: string) => {
  const { body } = await scene.api.post('/accounts/connect', { app });
  return body.data as { url: string; attempt_id: string };
};
const stateOf = async (attempt: string) => (await scene.api.get(`/accounts/connect/${attempt}`)).body.data;

describe('a provider that repeats headers and body of the request', () => {
  let provider: AuthorizationServer;
  let server: Server;
  let isEchoing = true;
  const echoes: string[] = [];

  /** Both in the encodings that a provider may use. */
  async function echoOf(request: IncomingMessage): Promise<string> {
    const sent = [JSON.stringify(request.headers), await text(request), SECRET];
    const forms = sent.flatMap((each) => [
      ...[each, encodeURIComponent(each), JSON.stringify(each), each.toUpperCase()],
      ...(['base64', 'base64url', 'hex'] as const).map((encoding) => Buffer.from(each).toString(encoding)),
    ]);
    return forms.join(' ');
  }

  beforeAll(async () => {
    provider = await AuthorizationServer.start();
    server = createServer((request, response) => {
      void echoOf(request).then((echo) => {
        echoes.push(echo);
        const body = isEchoing
          ? { error: echo, error_description: echo, message: echo, [echo]: echo }
          : { access_token: 'at-1', refresh_token: 'rt-1', token_type: 'Bearer', expires_in: 1, id: 'ada' };
        response.writeHead(isEchoing ? 400 : 201, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // `address()` is null only before listen.
    const { port } = server.address() as AddressInfo;
    for (const tokenAuth of ['basic', 'post', 'json'] as const)
      await registerTestClient(scene.cloud, {
        apps: [tokenAuth],
        clientSecret: SECRET,
        settings: {
          authorization: provider.settings.authorization,
          token: `http://127.0.0.1:${port}/token`,
          tokenAuth,
        },
      });
  });
  afterAll(async () => {
    await provider.stop();
    server.closeAllConnections();
    await closeServer(server);
  });

  /** Twelve characters of what was sent, in any encoding, would be too much. */
  function expectNoEcho(shown: string): void {
    expect(echoes.length).toBeGreaterThan(0);
    const secrets = [SECRET, encodeURIComponent(SECRET), new URLSearchParams([['', SECRET]]).toString().slice(1)];
    for (const secret of secrets)
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex').slice(0, 16),
        ...[0, 1, 2].map((offset) =>
          Buffer.from(' '.repeat(offset) + secret)
            .toString('base64')
            .slice(4, 20),
        ),
      ])
        expect(shown).not.toContain(form);
  }

  test.each(['basic', 'post', 'json'])('shows none of it, where the client authenticates by %s', async (app) => {
    isEchoing = true;
    const { url, attempt_id: attempt } = await connect(app);
    const browser = new BrowserClient();
    const page = await browser.get(provider.consent((await browser.get(url)).location));
    const { status, reason } = await stateOf(attempt);
    expect([status, reason]).toEqual([
      'refused',
      'The sign-in failed. The token address of the provider refused the request (status 400). Open the address again to try once more.',
    ]);
    expect(page.text).toContain('(status 400)');

    isEchoing = false;
    const account = await signInAt(provider, scene.api, { app });
    isEchoing = true;
    const source = await scene.source(
      `export default {
        name: 'Reads', version: '0.0.1',
        props: { app: { type: 'app', app: '${app}' }, http: '$.interface.http' },
        run() { this.$emit({ uid: this.app.$auth.oauth_uid }); },
      };`,
      { configured_props: { app: { authProvisionId: account } } },
    );
    const seen = await until('the renewal has failed', async () => {
      await scene.send(source.endpoint, {});
      const response = await scene.api.get(`/accounts/${account}`);
      return response.body.data.status === 'expiring' && response;
    });
    expect(seen.body.data.status_reason).toBe('The token address of the provider refused the request (status 400).');
    const errors = JSON.stringify(await scene.events(source.id, { event_name: '$errors', expand: 'event' }));
    expectNoEcho([page.text, reason, seen.text, errors, ...scene.cloud.logs.map((line) => line.text)].join('\n'));
  });
});

describe('an authorization server that others wrote', () => {
  let provider: ChildProcess;
  let issuer = '';
  beforeAll(async () => {
    const redirectUri = `${scene.cloud.origin}/connect/callback`;
    const options = JSON.stringify({ redirectUri, secret: SECRET, accessTokenSeconds: 600 });
    provider = spawn(process.execPath, ['test/support/oidc-provider.mjs', options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(provider.stdout ?? provider, 'data')) as [Buffer];
    issuer = line.toString().trim();
  });
  afterAll(async () => {
    provider.kill();
    await once(provider, 'exit');
  });

  const register = (clientSecret: string) =>
    registerTestClient(scene.cloud, {
      apps: ['oidc'],
      clientId: 'tributary',
      clientSecret,
      settings: {
        authorization: `${issuer}/auth`,
        token: `${issuer}/token`,
        identity: `${issuer}/me`,
        issuer,
        scopes: ['openid', 'offline_access'],
        parameters: { prompt: 'consent' },
      },
    });

  /** Follows redirects, and answers each form of the provider, up to the page of the callback. */
  async function signIn(browser: BrowserClient, url: string): Promise<Page> {
    let page = await browser.get(url);
    for (let step = 0; step < 12; step += 1) {
      if (page.status >= 300 && page.status < 400) page = await browser.get(new URL(page.location, page.url));
      else if (page.url.startsWith(issuer)) page = await submitted(browser, page);
      else return page;
    }
    throw new Error(`The sign-in has no end: ${page.url}`);
  }

  /** Its forms quote attributes, and name no submit button. */
  async function submitted(browser: BrowserClient, page: Page): Promise<Page> {
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? [];
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page.text) ?? [];
    const form = `<form method="post" action="${new URL(action, page.url).href}">`;
    return browser.submit({ ...page, text: form }, { prompt, login: 'ada@example.org', password: 'any' });
  }

  test('says invalid_client to a wrong secret, and its login is found without --uid', async () => {
    await register('another secret');
    const wrong = await connect('oidc');
    const refused = await signIn(new BrowserClient(), wrong.url);
    expect(refused.text).toMatch(/The sign-in failed/);
    const { reason } = await stateOf(wrong.attempt_id);
    expect(reason).toContain('The provider refuses the OAuth client (status 401, invalid_client): the operator');
    expect(reason).not.toContain('authentication failed');

    await register(SECRET);
    const { url, attempt_id: attempt } = await connect('oidc');
    const browser = new BrowserClient();
    const question = await signIn(browser, url);
    expect(question.text).toContain('ada@example.org');
    await browser.submit(question);
    expect(await stateOf(attempt)).toMatchObject({ status: 'connected' });
  });
});
