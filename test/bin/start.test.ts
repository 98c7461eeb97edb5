import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService, stopService, TEST_KEY } from '../support/service.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'tributary-start-'));
let service: Service;
/** Of the first requests that found the port open, one on a first start and one on a later one. */
let early: { first: number; later?: number };

/** Runs the command until it ends by itself. */
function run(environment: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'bin/start.ts'], {
    env: { ...process.env, ...environment },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  return new Promise((resolve) =>
    child.on('exit', (code) => {
      resolve({ code, said });
    }),
  );
}

const me = async (key: string) =>
  (await fetch(`${service.base}/users/me`, { headers: { authorization: `Bearer ${key}` } })).status;
const ready = () =>
  service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('Ready'));

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks until somebody listens there. */
async function firstAnswer(port: number, key: string): Promise<number> {
  for (;;) {
    try {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`http://127.0.0.1:${port}/v1/users/me`, { headers })).status;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

beforeAll(async () => {
  const port = await freePort();
  const answer = firstAnswer(port, TEST_KEY);
  service = await startService({ dataDir, port, readyWithinMs: 60_000 });
  early = { first: await answer };
}, 90_000);

afterAll(async () => {
  await stopService(service);
  rmSync(dataDir, { recursive: true, force: true });
});

describe('the service', () => {
  test('says in one line where it is, and not the key that it was given', () => {
    expect(ready()).toEqual([`Ready at ${service.base}`]);
    expect(service.output()).not.toContain(TEST_KEY);
  });

  test('prints the key of the user it made on a first start, which is its key from then on', async () => {
    const other = mkdtempSync(join(tmpdir(), 'tributary-start-'));
    const first = await startService({ dataDir: other, env: { API_KEY: '' }, readyWithinMs: 60_000 });
    const [, key] = /^Ready at \S+, API key of admin: (\S{43})$/m.exec(first.output()) ?? [];
    await stopService(first);
    const again = await startService({ dataDir: other, env: { API_KEY: '' }, readyWithinMs: 60_000 });
    const answer = await fetch(`${again.base}/users/me`, { headers: { authorization: `Bearer ${key}` } });
    await stopService(again);
    rmSync(other, { recursive: true, force: true });
    expect(answer.status).toBe(200);
    expect(again.output()).not.toContain(key);
  });

  test('has the user admin with the key it was given', async () => {
    expect(await me(TEST_KEY)).toBe(200);
    expect(await me('another-key-0123456789')).toBe(401);
  });

  test('is the only one on its data directory: a second process says so and ends with 1', async () => {
    const { code, said } = await run({ DATA_DIR: dataDir, PORT: '0' });
    expect([code, said.trim()]).toEqual([1, `Another process is using the data directory ${dataDir}.`]);
  });

  test('is the only one on its port: another process says so and ends with 1', async () => {
    const other = mkdtempSync(join(tmpdir(), 'tributary-start-'));
    const port = new URL(service.origin).port;
    const { code, said } = await run({ DATA_DIR: other, PORT: port });
    rmSync(other, { recursive: true, force: true });
    expect([code, said.trim()]).toEqual([1, `The port ${port} of 127.0.0.1 is taken.`]);
  });

  test('is on no other machine: a host that is not of this one ends it with 1 and a sentence', async () => {
    const other = mkdtempSync(join(tmpdir(), 'tributary-start-'));
    const { code, said } = await run({ DATA_DIR: other, PORT: '0', HOST: '192.0.2.1' });
    rmSync(other, { recursive: true, force: true });
    expect([code, said.trim()]).toEqual([1, 'The host 192.0.2.1 is no address of this machine.']);
  });

  test('ends with 2 and a sentence where a setting is wrong', async () => {
    expect(await run({ DATA_DIR: dataDir, PORT: 'many' })).toEqual({
      code: 2,
      said: 'PORT must be a port number.\n',
    });
  });

  test('ends with 0 on SIGTERM, and on a later start has the same user, with the key that is then given', async () => {
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    const apiKey = 'a-different-key-0123456789';
    const port = Number(new URL(service.origin).port);
    const answer = firstAnswer(port, apiKey);
    service = await startService({ dataDir, apiKey, port, readyWithinMs: 60_000 });
    early.later = await answer;
    expect(ready()).toEqual([`Ready at ${service.base}`]);
    expect(await me(apiKey)).toBe(200);
    expect(await me(TEST_KEY)).toBe(401);
  });

  test('lets what comes while it starts wait until it can answer, with the key it was given', () => {
    expect(early).toEqual({ first: 200, later: 200 });
  });
});
