import { nodeAdvice } from '../../../bin/node-advice.ts';
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { apiClient } from '../../support/api-client.ts';
import { Receiver } from '../../support/receiver.ts';
import {
  type Service,
  TEST_KEY,
  descendants,
  isAlive,
  startArguments,
  startService,
  stopService,
} from '../../support/service.ts';
import { repetitions } from '../../support/repetitions.ts';
import { shareAssembly } from '../../support/share-assembly.ts';
import { DEADLINE_MS, until } from '../../support/until.ts';
import { closeServer } from '../../support/close-server.ts';

let folder: string;
let dataDir: string;
let running: Service[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-start-'));
  dataDir = join(folder, 'data');
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map(stopService));
  rmSync(folder, { recursive: true, force: true });
});

async function service(more: Partial<Parameters<typeof startService>[0]> = {}): Promise<Service> {
  const started = await startService({ dataDir, ...more });
  running.push(started);
  return started;
}

/** The start says it about this Node on standard error. */
const ADVICE = `${nodeAdvice(process.versions.node)}\n`;

const withoutAdvice = ({ output }: Pick<Service, 'output'>): string => output().replace(ADVICE, '');

interface Ended {
  code: number | null;
  out: string;
  error: string;
}

/** A start takes about 1 s, or many times that on a busy machine. */
const LONGEST_START_MS = DEADLINE_MS;

/** Starts it as it is expected to end by itself. */
async function startAndEnd(env: Record<string, string>, options: readonly string[] = []): Promise<Ended> {
  const child = spawn(process.execPath, [...(await startArguments()), ...options], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', INGRESS_PORT: '0', ...env },
  });
  const ended: Ended = { code: null, out: '', error: '' };
  child.stdout.on('data', (chunk) => (ended.out += String(chunk)));
  child.stderr.on('data', (chunk) => (ended.error += String(chunk)));
  const forced = setTimeout(() => child.kill('SIGKILL'), LONGEST_START_MS);
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(forced);
      resolve({ ...ended, code });
    }),
  );
}

const status = async ({ base }: Pick<Service, 'base'>, key: string) =>
  (await fetch(`${base}/users/me`, { headers: { authorization: `Bearer ${key}` } })).status;

test('prints one line when ready, with the addresses of the API, the ingress and the console, and on the first start alone the key of the user it made', async () => {
  const first = await service({ env: { API_KEY: '' } });
  const addresses = /^Ready at (http:\S+)\/v1, ingress at (http:\S+), console at (http:\S+)\/console \(.*\n$/;
  expect(withoutAdvice(first)).toMatch(addresses);
  const [, origin, ingress, consoleOrigin] = addresses.exec(withoutAdvice(first)) ?? [];
  expect(consoleOrigin).toBe(origin);
  expect(ingress).not.toBe(origin);
  const [, key = ''] = /key of admin: (\S+)/.exec(first.output()) ?? [];
  const api = await apiClient(first.base, key);
  expect((await api.get('/users/me')).body.data).toMatchObject({
    username: 'admin',
    email: 'admin@localhost',
    api_key: key,
  });
  await stopService(first);
  const again = await service({ env: { API_KEY: '' } });
  expect(withoutAdvice(again)).toMatch(/^[^\n]+\n$/);
  expect(again.output()).not.toContain(key);
  expect(withoutAdvice(again)).toMatch(/, for a new API key run tributary admin users rotate-key\n$/);
  expect(await status(again, key)).toBe(200);
});

test('names the addresses of endpoints that are origins', async () => {
  const started = await service({ env: { PUBLIC_URL: 'https://*.hooks.example.com' } });
  expect(started.output()).toMatch(/ console at http:\S+, endpoints at https:\/\/\*\.hooks\.example\.com /);
});

test.skipIf(nodeAdvice(process.versions.node) === undefined)(
  'says in one line that this Node gets no fixes',
  async () => {
    const started = await service({});
    await until('the advice', () => started.output().includes(ADVICE));
    expect(started.output().split(ADVICE)).toHaveLength(2);
  },
);

/** Sends requests until the service listens. Returns the status of the first response. */
async function firstResponse(port: number, key: string): Promise<number> {
  for (;;) {
    try {
      return await status({ base: `http://127.0.0.1:${port}/v1` }, key);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

test('API_KEY sets the key, unprinted, and a different one on a later start replaces it; early requests wait until the service is ready', async () => {
  shareAssembly(dataDir);
  const port = await freePort();
  const early = firstResponse(port, TEST_KEY);
  const first = await service({ port });
  expect(await early).toBe(200);
  expect(await status(first, TEST_KEY)).toBe(200);
  expect(first.output()).not.toContain(TEST_KEY);
  await stopService(first);
  const other = 'another-key-0123456789abcdef';
  const earlyAgain = firstResponse(port, other);
  const second = await service({ apiKey: other, port });
  expect(await earlyAgain).toBe(200);
  expect([await status(second, TEST_KEY), await status(second, other)]).toEqual([401, 200]);
});

test('a second process on the same data directory ends with one clear sentence and exit code 1', async () => {
  shareAssembly(dataDir);
  const first = await service();
  const { code, out, error } = await startAndEnd({});
  expect([code, out]).toEqual([1, '']);
  expect(error).toMatch(/^[A-Z][^\n]*\.\n$/);
  expect(error).toContain(dataDir);
  expect(await status(first, TEST_KEY)).toBe(200);
});

/** Files and directories of the data that other users of this machine may use; copies of packages keep their modes. */
function openToOthers(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const data = entries.filter((name) => !/^assembly\/.*node_modules\//.test(name));
  return data.filter((name) => {
    const found = lstatSync(join(directory, name), { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });
}

test('all of the data is for its user only, and a data directory that others may use is named with the mend', async () => {
  const before = process.umask(0o022);
  try {
    mkdirSync(dataDir);
    const first = await service();
    await (await apiClient(first.base, TEST_KEY)).post('/webhooks', { url: 'https://example.org' });
    expect(first.output()).toContain(
      `The data directory ${dataDir} is open to other users of this machine (mode 755): run chmod 700 ${dataDir}.\n`,
    );
    expect(openToOthers(dataDir)).toEqual([]);
    await stopService(first);
    const env = { ...process.env, DATA_DIR: dataDir };
    execFileSync(process.execPath, ['bin/tributary.mjs', 'admin', 'users', 'list'], { env });
    expect(openToOthers(dataDir)).toEqual([]);
    chmodSync(dataDir, 0o700);
    expect((await service()).output()).not.toContain('open to other users');
  } finally {
    process.umask(before);
  }
});

test.each(['PORT', 'INGRESS_PORT'])(
  'a taken port ends it with one sentence that names %s and exit code 1',
  async (variable) => {
    shareAssembly(dataDir);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { code, out, error } = await startAndEnd({ [variable]: String(port) });
    expect([code, out, error]).toEqual([
      1,
      '',
      `The port ${port} of 127.0.0.1 is taken: set ${variable} to another port.\n`,
    ]);
    await closeServer(server);
  },
);

test('a host that is not of this machine ends it with one clear sentence and exit code 1', async () => {
  shareAssembly(dataDir);
  const { code, out, error } = await startAndEnd({ HOST: '192.0.2.1' });
  expect([code, out, error]).toEqual([
    1,
    '',
    'The host 192.0.2.1 is not an address of this machine: set HOST to another one.\n',
  ]);
});

describe('a data directory that cannot be one ends it with one clear sentence that names it and exit code 1', () => {
  test.each([
    ['that is a file', () => join(folder, 'file'), 'cannot be used: there is a file in its place.'],
    ['below a file', () => join(folder, 'file', 'data'), 'cannot be used: there is a file in its place.'],
    ['where nothing can be made', () => '/proc/tributary', 'cannot be used: no such file or directory.'],
    ['that cannot be written', () => '/sys/tributary', 'cannot be used: this user may not write there.'],
    ['whose path is too long for a socket', () => join(folder, 'long'.repeat(30)), 'is too long for the socket in it.'],
  ])('one %s', async (_, location, end) => {
    writeFileSync(join(folder, 'file'), '');
    const { code, out, error } = await startAndEnd({ DATA_DIR: location() });
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/^[A-Z][^\n]*\.\n$/);
    expect(error).toContain(`data directory ${location()} ${end}`);
  });
});

test('--paused is in the ready line, and other options are refused with exit code 2', async () => {
  shareAssembly(dataDir);
  const paused = await service({ options: ['--paused'] });
  expect(paused.output()).toContain(', paused: delivers nothing, runs nothing, fires no timer');
  expect((await fetch(`${paused.origin}/healthz`)).status).toBe(503);
  expect(await startAndEnd({}, ['--pause'])).toEqual({
    code: 2,
    out: '',
    error: "Unknown option '--pause'. Did you mean --paused?\n",
  });
});

test.each([
  ['PORT', 'http'],
  ['API_KEY', 'too-short'],
])('a wrong setting (%s=%s) ends it with one sentence that names it and exit code 2', async (name, value) => {
  const { code, out, error } = await startAndEnd({ [name]: value });
  expect([code, out]).toEqual([2, '']);
  expect(error).toMatch(new RegExp(`^${name}[^\\n]*\\.\\n$`));
});

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
describe.each(SIGNALS.slice(0, repetitions(1, 2)))('%s', (signal) => {
  test('finishes its runs and exits 0, leaving no process; accepted triggers are kept', async () => {
    shareAssembly(dataDir);
    const receiver = await Receiver.start();
    const first = await service();
    const api = await apiClient(first.base, TEST_KEY);
    const source = (
      await api.post('/sources', {
        component_code: `export default { name: 'Slow', version: '1', props: { http: '$.interface.http' },
          async run({ body }) { console.log('begun'); await fetch('${receiver.url}', { method: 'POST', body: '"begun"' }); await new Promise((r) => setTimeout(r, 1500)); this.$emit(body); } };`,
      })
    ).body.data;
    await fetch(source.configured_props.http.endpoint_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"n":1}',
    });
    await until('the run has started', () => receiver.received.length > 0);
    const children = descendants(first.process.pid ?? 0);
    first.process.kill(signal);
    expect(await first.ended).toBe(0);
    await until('no process is left', () => children.every((pid) => !isAlive(pid)));
    const again = await service();
    const events = (await (await apiClient(again.base, TEST_KEY)).get(`/sources/${source.id}/event_summaries`)).body
      .data;
    expect(events.map(({ event }: { event: unknown }) => event)).toEqual([{ n: 1 }]);
    expect(receiver.received).toHaveLength(1);
    const errors = (
      await (
        await apiClient(again.base, TEST_KEY)
      ).get(`/sources/${source.id}/event_summaries`, { event_name: '$errors' })
    ).body.data;
    expect(errors).toEqual([]);
    await receiver.stop();
  });
});

test('npm start ends in the service itself: a signal to npm reaches it', async () => {
  shareAssembly(dataDir);
  const child = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', INGRESS_PORT: '0', API_KEY: TEST_KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  await until('it is ready', () => /\/v1/.test(output));
  const children = descendants(child.pid ?? 0);
  expect(children.length).toBeGreaterThan(0);
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('exit', (code, how) => resolve(code ?? how)),
  );
  child.kill('SIGTERM');
  expect([0, 'SIGTERM']).toContain(await ended);
  await until('nothing of it is left', () => children.every((pid) => !isAlive(pid)));
});
