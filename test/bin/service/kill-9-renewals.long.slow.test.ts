import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { BrowserClient } from '../../support/browser-client.ts';
import { type Moment, StrictProvider } from '../../support/strict-provider.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { until } from '../../support/until.ts';

const ROUNDS = 30;
/** Two in each function, so that both functions renew at once; forty run at once in renew-account.test.ts. */
const SOURCES = 4;
/** The stores of a renewal end within about this time after the answer. */
const LONGEST_DELAY_MS = 12;

let dataDir: string;
let provider: StrictProvider;
let service: Service;
let account: string;
const endpoints: string[] = [];

const Made = z.object({
  data: z.object({
    configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }),
  }),
});
const Attempt = z.object({ data: z.object({ url: z.string(), attempt_id: z.string() }) });
const State = z.object({ data: z.object({ account_id: z.string() }) });
const Shown = z.object({ data: z.object({ status: z.string() }) });

async function api<Response>(schema: z.ZodType<Response>, method: string, path: string, body?: unknown) {
  const response = await fetch(`${service.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, response.ok ? '' : `${text} ${service.output()}`).toBe(200);
  return schema.parse(JSON.parse(text));
}

async function signIn(body: Record<string, string>): Promise<string> {
  const { data } = await api(Attempt, 'POST', '/accounts/connect', body);
  const browser = new BrowserClient();
  const { location } = await browser.get(data.url);
  await browser.submit(await browser.get(provider.consent(location)));
  const state = await api(State, 'GET', `/accounts/connect/${data.attempt_id}`);
  return state.data.account_id;
}

async function registerClient(): Promise<void> {
  const file = join(dataDir, '..', 'secret');
  writeFileSync(file, 'the secret of the client');
  const { url } = provider;
  const words = ['admin', 'oauth-clients', 'add', '--app', 'acme', '--client-id', 'client-1'];
  const addresses = ['--authorize-url', `${url}/authorize`, '--token-url', `${url}/token`];
  const command = spawn(process.execPath, ['bin/tributary.mjs', ...words, '--client-secret-file', file, ...addresses], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(command, 'close');
  expect(code).toBe(0);
}

/**
 * A source that responds itself runs in another function than one with a queue: two functions renew the account at
 * once.
 */
const component = (customResponse: boolean) => `export default {
  name: 'Reads', version: '0.0.1', props: { app: { type: 'app', app: 'acme' }, http: { type: '$.interface.http', customResponse: ${customResponse} } },
  async run() {
    const headers = { authorization: 'Bearer ' + this.app.$auth.oauth_access_token, 'x-began-at': String(Date.now()) };
    await fetch('${provider.url}/data', { headers });
    this.http.respond({ status: 200 });
  },
};`;

/** An event for each source; a service that was killed answers none. */
const sendToAll = () =>
  Promise.all(
    endpoints.map((path) =>
      fetch(`${service.ingress}${path}`, { method: 'POST', body: '{}' }).then(
        (response) => response.text(),
        () => undefined,
      ),
    ),
  );

const status = async () => (await api(Shown, 'GET', `/accounts/${account}`)).data.status;

beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'tributary-kill-renewal-')), 'data');
  shareAssembly(dataDir);
  provider = await StrictProvider.start();
  service = await startService({ dataDir });
  await registerClient();
  account = await signIn({ app: 'acme' });
  // A user has few builds at once.
  for (let n = 0; n < SOURCES; n += 1) {
    const { data } = await api(Made, 'POST', '/sources', {
      component_code: component(n % 2 === 0),
      configured_props: { app: { authProvisionId: account } },
    });
    endpoints.push(new URL(data.configured_props.http.endpoint_url).pathname);
  }
});

afterAll(async () => {
  await stopService(service);
  await provider.stop();
  rmSync(join(dataDir, '..'), { recursive: true, force: true });
});

/**
 * Every moment of a renewal: before the provider takes the refresh token, before its answer, at growing times after it,
 * and at the first use.
 */
function momentOf(round: number): Moment {
  const step = (['request', 'rotated', 'used'] as const)[round % 5];
  return step ? { step } : { step: 'answered', delayMs: (LONGEST_DELAY_MS * round) / ROUNDS };
}

/** docs/accounts.md, Renewal. */
test(`a renewal that a kill interrupts, ${ROUNDS} times: no run gets a token that rotation has revoked, unless the account needs a new sign-in`, async () => {
  const outcomes = { connected: 0, needs_reconnect: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    // Until a renewal is due; the token of every second round still lives then.
    const moment = momentOf(round);
    provider.expiresIn = round % 2 === 0 && moment.step !== 'used' ? 1 : 4;
    provider.killAt(moment, () => service.process.kill('SIGKILL'));
    let isEnded = false;
    void service.ended.then(() => (isEnded = true));
    await until('a renewal is killed', async () => {
      await sendToAll();
      return isEnded;
    });
    expect(await service.ended).toBe('SIGKILL');

    const rotatedAfterKill = provider.hasRotatedAfterKill;
    provider.beginLife();
    service = await startService({ dataDir });
    await until('the account is renewed or ended', async () => {
      await sendToAll();
      return (await status()) === 'needs_reconnect' || provider.hasSeenNewest;
    });
    const now = await status();
    expect(provider.repeatedAfterUse, `round ${round}`).toEqual([]);
    if (provider.revokedOfEarlierLives.length > 0) expect(now, `round ${round}`).toBe('needs_reconnect');
    // The token answer was stored before its access token was used. The next renewal may already be on its way to the
    // provider.
    if (moment.step === 'used' && !rotatedAfterKill) expect(now, `round ${round}`).toBe('connected');
    if (now === 'needs_reconnect') {
      outcomes.needs_reconnect += 1;
      expect(await signIn({ account_id: account })).toBe(account);
    } else outcomes.connected += 1;
  }
  // A refresh token is repeated only by the life after one that was killed, and once.
  for (const lives of provider.livesByRefreshToken.values()) {
    expect(new Set(lives).size).toBe(lives.length);
    expect(lives.length).toBeLessThanOrEqual(2);
  }
  // The kills came before and after the store.
  expect(outcomes.connected).toBeGreaterThan(0);
  expect(outcomes.needs_reconnect).toBeGreaterThan(0);
});
