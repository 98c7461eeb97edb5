import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConsole } from '../support/console-browser.ts';
import { registerTestClient } from '../support/register-client.ts';
import { until } from '../support/until.ts';

/** A polling source. Reads the identity address of the provider with its token: a renewed token is another one. */
const componentOf = (issuer: string) => `export default {
  name: 'Reads', version: '0.0.1',
  props: {
    app: { type: 'app', app: 'acme' },
    timer: { type: '$.interface.timer', default: { intervalSeconds: 86_400 } },
  },
  async run({ n }) {
    const response = await fetch('${issuer}/me', { headers: { authorization: 'Bearer ' + this.app.$auth.oauth_access_token } });
    this.$emit({ n, status: response.status, sub: (await response.json()).sub }, { id: String(n) });
  } };`;

const RENEWALS = 5;

describeConsole('an authorization server with PKCE, consent page and refresh tokens that rotate', (console) => {
  let provider: ChildProcess;
  let issuer = '';
  beforeAll(async () => {
    const options = {
      redirectUri: `${console.cloud.origin}/connect/callback`,
      secret: 'the secret of the client',
      // Renewed after half of it: a run has three seconds to use its token.
      accessTokenSeconds: 8,
    };
    provider = spawn(process.execPath, ['test/support/oidc-provider.mjs', JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(provider.stdout ?? provider, 'data')) as [Buffer];
    issuer = line.toString().trim();
    await registerTestClient(console.cloud, {
      clientId: 'tributary',
      clientSecret: options.secret,
      settings: {
        authorization: `${issuer}/auth`,
        token: `${issuer}/token`,
        revocation: `${issuer}/token/revocation`,
        identity: `${issuer}/me`,
        issuer,
        scopes: ['openid', 'offline_access'],
        parameters: { prompt: 'consent' },
        uid: 'identity.sub',
      },
    });
  });
  afterAll(async () => {
    provider.kill();
    await once(provider, 'exit');
  });

  test('is signed in at in a browser, and a source goes on over many renewals without a lost or repeated event', async () => {
    const { api } = console;
    const { body } = await api.post('/accounts/connect', { app: 'acme' });
    const { url, attempt_id: attempt } = body.data as { url: string; attempt_id: string };
    const page = await console.open(new URL(url).pathname, { isSignedOut: true });
    await page.getByPlaceholder('Enter any login').fill('ada@example.org');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('ada@example.org').waitFor();
    await page.getByRole('button', { name: 'Connect this account' }).click();
    await page.getByText('The account is connected').waitFor();
    const { account_id: account } = (await api.get(`/accounts/connect/${attempt}`)).body.data;

    const made = await api.post('/sources', {
      component_code: componentOf(issuer),
      configured_props: { app: { authProvisionId: account } },
    });
    const { id } = made.body.data;
    const renewedAt = new Set<number>();
    let sent = 0;
    await until(
      `${RENEWALS} renewals`,
      async () => {
        sent += 1;
        await api.post(`/sources/${id}/run`, { n: sent });
        const { status, renewed_at_ms: at } = (await api.get(`/accounts/${account}`)).body.data;
        expect(status).toBe('connected');
        renewedAt.add(at);
        return renewedAt.size > RENEWALS;
      },
      { everyMs: 300 },
    );
    const seen = await until('all events', async () => {
      const { data } = (await api.get(`/sources/${id}/event_summaries`, { limit: 100, expand: 'event' })).body;
      return data.length >= sent && (data as { event: { n: number } }[]).map(({ event }) => event);
    });
    expect(seen.toReversed()).toEqual(
      Array.from({ length: sent }, (_, n) => ({ n: n + 1, status: 200, sub: 'ada@example.org' })),
    );
  });
});
