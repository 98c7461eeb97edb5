import { nodeAdvice } from '../../bin/node-advice.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Receiver } from '../support/receiver.ts';
import { apiClient } from '../support/api-client.ts';
import { descendants, isAlive, startArguments, startService, stopService, TEST_KEY } from '../support/service.ts';
import { repetitions } from '../support/repetitions.ts';
import { shareAssembly } from '../support/share-assembly.ts';
import { until } from '../support/until.ts';

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-stop-'));
  dataDir = join(folder, 'data');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | NodeJS.Signals | null>;
}

/** In a process group of its own, as a shell starts it. */
async function start(env: Record<string, string>): Promise<Started> {
  const child = spawn(process.execPath, await startArguments(), {
    env: { ...process.env, DATA_DIR: dataDir, API_KEY: TEST_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.on('close', (code, signal) => {
      resolve(code ?? signal);
    }),
  );
  return { child, output: () => output, ended };
}

const isListening = (port: number) => (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });

/**
 * The handlers were installed after the ready line, so an earlier signal ended the process with the status of the
 * signal.
 */
const SIGNALS = [
  ['SIGTERM', 'the service'],
  ['SIGINT', 'its whole group'],
  ['SIGINT', 'the service'],
  ['SIGTERM', 'its whole group'],
] as const;
test.each(SIGNALS.slice(0, repetitions(2, 4)))(
  '%s to %s while it listens and is not ready stops it: exit 0, not a word, no process left',
  { timeout: 60_000 },
  async (signal, target) => {
    const port = await freePort();
    const { child, output, ended } = await start({ PORT: String(port), INGRESS_PORT: '0' });
    const pid = child.pid ?? expect.fail();
    await until('it listens', isListening(port), { withinMs: 40_000, everyMs: 5 });
    const children = descendants(pid);
    process.kill(target === 'the service' ? pid : -pid, signal);
    expect([await ended, output()]).toEqual([0, '']);
    await until('no process is left', () => children.every((each) => !isAlive(each)));
  },
);

test('a service that was stopped before it was ready starts again', { timeout: 60_000 }, async () => {
  const port = await freePort();
  const first = await start({ PORT: String(port), INGRESS_PORT: '0', API_KEY: '' });
  await until('it listens', isListening(port), { withinMs: 40_000, everyMs: 5 });
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const again = await startService({ dataDir, env: { API_KEY: '' } });
  // The key of `admin` is printed by the start that makes the user.
  const advice = `${nodeAdvice(process.versions.node)}\n`;
  const output = (first.output() + again.output()).replaceAll(advice, '');
  expect(output.match(/API key of admin: \S{43}\n/g)).toHaveLength(1);
  await stopService(again);
});

/** Ctrl-C reaches every process of the group. */
test.each((['SIGINT', 'SIGTERM'] as const).slice(0, repetitions(1, 2)))(
  '%s to the whole group lets a run end, and makes no error of it',
  { timeout: 60_000 },
  async (signal) => {
    const receiver = await Receiver.start();
    const port = await freePort();
    shareAssembly(dataDir);
    const { child, output, ended } = await start({ PORT: String(port), INGRESS_PORT: '0' });
    await until('it is ready', () => output().includes('Ready'), { withinMs: 40_000 });
    const api = await apiClient(`http://127.0.0.1:${port}/v1`, TEST_KEY);
    const { body } = await api.post('/sources', {
      component_code: `export default { name: 'Slow', version: '1', async run() {
        await fetch('${receiver.url}').catch(() => undefined);
        this.$emit('ended');
      } };`,
    });
    receiver.respond = () => 'hang';
    await api.post(`/sources/${body.data.id}/run`, {});
    await until('the run has started', () => receiver.received.length > 0);
    process.kill(-(child.pid ?? expect.fail()), signal);
    await until('it takes nothing new', async () => !(await isListening(port)()));
    await receiver.stop();
    expect(await ended).toBe(0);

    const again = await startService({ dataDir });
    const client = await apiClient(again.base, TEST_KEY);
    const events = async (query = {}) =>
      (await client.get(`/sources/${body.data.id}/event_summaries`, query)).body.data.map(
        ({ event }: { event: unknown }) => event,
      );
    expect([await events(), await events({ event_name: '$errors' })]).toEqual([[{ raw_event: 'ended' }], []]);
    await stopService(again);
  },
);
