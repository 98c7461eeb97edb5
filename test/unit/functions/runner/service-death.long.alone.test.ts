import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildProgram } from '../../../../infra/embedded/programs.ts';
import { until } from '../../../support/until.ts';
import { Runner, source } from './harness.ts';

/** Runner processes end by themselves when the service dies, however it dies (decisions, "Embedded"). */

let runner: Runner;
const programs = mkdtempSync(join(tmpdir(), 'spawner-'));
const spawner = join(programs, 'spawner.cjs');
let directory: string;
let service: ChildProcess | undefined;
beforeAll(async () => {
  await buildProgram('spawner', spawner);
  runner = await Runner.start();
});
afterAll(async () => {
  await runner.close();
  rmSync(programs, { recursive: true, force: true });
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'death-'));
});
afterEach(() => {
  service?.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
});

const says = (rest: string) => source(`async run() { this.$emit(process.pid); ${rest} }`);
const looping = says('while (true);');
const waiting = says('await new Promise(() => {});');
const idle = says('');

/** Starts a service that runs this code, and waits for the process id of each child. */
async function start(codes: string[]): Promise<number[]> {
  const requests = codes.map((code) => JSON.stringify(runner.request(code, { limits: { timeoutMs: 60_000 } })));
  const started = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/unit/functions/runner/service.ts', spawner, runner.script, ...requests],
    { stdio: ['ignore', 'pipe', 'inherit'], detached: true, env: { ...process.env, TMPDIR: directory } },
  );
  service = started;
  let output = '';
  started.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  await until('each child prints its id', () => output.split('\n').length > codes.length);
  return output.trim().split('\n').map(Number);
}

/** Alive, and not a zombie that its new parent has not reaped yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Every process whose command line names this test's directory: all children, the spare one included. */
const childrenLeft = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => commandLine(pid).includes(directory) && isAlive(Number(pid)));

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

describe('when the service is killed', () => {
  test('all its children end, and their files are deleted', async () => {
    const pids = await start([looping, waiting, idle]);
    expect(pids.filter(isAlive)).toEqual(pids);

    service?.kill('SIGKILL');
    // A process that is ending has no command line.
    await until('all are gone', () => childrenLeft().length === 0 && !pids.some(isAlive));
    await until('no files are left', () => readdirSync(directory).every((name) => !name.startsWith('runner-')));
  });

  test('the same holds for a signal to its whole group', async () => {
    const pids = await start([looping, idle]);

    process.kill(-Number(service?.pid), 'SIGKILL');
    // A process that is ending has no command line.
    await until('all are gone', () => childrenLeft().length === 0 && !pids.some(isAlive));
  });

  test('the same holds while it starts processes', async () => {
    const pids = await start([looping, idle]);
    service?.kill('SIGUSR2');
    await until('all are gone', () => childrenLeft().length === 0 && !pids.some(isAlive));
  });
});

test('a run has a session of its own, so that Ctrl-C and signals to the group of the service do not reach it', async () => {
  const pids = await start([waiting]);
  const [, , group, session] = readFileSync(`/proc/${pids[0]}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];

  expect([group, session]).toEqual([String(pids[0]), String(pids[0])]);
});
