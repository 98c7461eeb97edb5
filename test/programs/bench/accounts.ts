import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import * as z from 'zod';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { BrowserClient } from '../../support/browser-client.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { allProcessorMs } from './process-measurements.ts';

/**
 * Processor time of a run with each kind of account, and without one. Each request is a run of its own, which reads its
 * account.
 */

const ROUNDS = 15;
const RUNS = 600;
const CONNECTIONS = 4;

const component = (props: string) => `export default {
  name: 'Bench', version: '0.0.1', props: { http: { type: '$.interface.http', customResponse: true }, ${props} },
  run() { this.http.respond({ status: 200, body: 'done' }); },
};`;
const APP = `app: { type: 'app', app: 'acme' }`;

const Account = z.object({ data: z.object({ id: z.string() }) });
const Attempt = z.object({ data: z.object({ url: z.string(), attempt_id: z.string() }) });
const Connected = z.object({ data: z.object({ account_id: z.string() }) });
const Created = z.object({
  data: z.object({ configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }) }),
});

async function api<T>(service: Service, schema: z.ZodType<T>, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${service.base}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return schema.parse(JSON.parse(text));
}

async function registerClient(dataDir: string, { url }: AuthorizationServer): Promise<void> {
  const file = join(dataDir, 'secret-of-the-bench');
  writeFileSync(file, 'the secret of the client');
  const words = ['admin', 'oauth-clients', 'add', '--app', 'acme', '--client-id', 'client-1'];
  const addresses = ['--authorize-url', `${url}/authorize`, '--token-url', `${url}/token`];
  const command = spawn(process.execPath, ['bin/tributary.mjs', ...words, '--client-secret-file', file, ...addresses], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(command, 'close')) as [number];
  if (code !== 0) throw new Error(`The command ended with ${code}`);
}

async function signIn(service: Service, provider: AuthorizationServer): Promise<string> {
  const { data } = await api(service, Attempt, '/accounts/connect', { app: 'acme' });
  const browser = new BrowserClient();
  const { location } = await browser.get(data.url);
  await browser.submit(await browser.get(provider.consent(location)));
  return (await api(service, Connected, `/accounts/connect/${data.attempt_id}`)).data.account_id;
}

/** Fields as an account of kind `oauth` has them. */
const FIELDS = {
  oauth_access_token: `at-${'0'.repeat(24)}`,
  oauth_client_id: 'client-1',
  oauth_scopes: '',
  oauth_uid: 'ada',
};

const KINDS = ['no account', 'fields', 'oauth'] as const;
type Kind = (typeof KINDS)[number];

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

export async function accounts(): Promise<Record<string, unknown>[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-'));
  const provider = await AuthorizationServer.start();
  const service = await startService({ dataDir, readyWithinMs: 120_000 });
  const pool = new Pool(service.ingress, { connections: CONNECTIONS });
  try {
    await registerClient(dataDir, provider);
    const fields = await api(service, Account, '/accounts', { app: 'acme', name: 'typed', fields: FIELDS });
    const accountOf: Record<Kind, string | undefined> = {
      'no account': undefined,
      fields: fields.data.id,
      oauth: await signIn(service, provider),
    };
    const paths = new Map<Kind, string>();
    for (const kind of KINDS) {
      const id = accountOf[kind];
      const { data } = await api(service, Created, '/sources', {
        component_code: component(id === undefined ? '' : APP),
        configured_props: id === undefined ? {} : { app: { authProvisionId: id } },
      });
      paths.set(kind, new URL(data.configured_props.http.endpoint_url).pathname);
    }

    const run = async (path: string, count: number) => {
      let left = count;
      const client = async () => {
        while ((left -= 1) >= 0) {
          const { statusCode, body } = await pool.request({ method: 'POST', path, body: '{}' });
          await body.dump();
          if (statusCode !== 200) throw new Error(`The endpoint answered ${statusCode}`);
        }
      };
      await Promise.all(Array.from({ length: CONNECTIONS }, client));
    };
    const times = new Map<Kind, number[]>(KINDS.map((kind) => [kind, []]));
    for (const path of paths.values()) await run(path, RUNS);
    // In another order each time, because this machine is not equally fast all the time.
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = round % 2 === 0 ? KINDS : KINDS.toReversed();
      for (const kind of order) {
        const before = allProcessorMs(service);
        await run(paths.get(kind) ?? '/', RUNS);
        times.get(kind)?.push(((allProcessorMs(service) - before) * 1_000) / RUNS);
      }
    }
    const ratioTo = (kind: Kind, other: Kind): string =>
      median((times.get(kind) ?? []).map((us, round) => us / (times.get(other)?.[round] ?? NaN))).toFixed(3);
    return KINDS.map((kind) => ({
      account: kind,
      processorUs: Math.round(median(times.get(kind) ?? [])),
      'of fields': ratioTo(kind, 'fields'),
    }));
  } finally {
    await pool.destroy();
    await stopService(service);
    await provider.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
