import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseIsolation } from '../../../infra/embedded/isolation/level.ts';
import { type Level, LEVELS } from '../../../infra/embedded/isolation/levels.ts';
import { Spawner } from '../../../infra/embedded/isolation/spawner.ts';
import { buildProgram } from '../../../infra/embedded/programs.ts';
import { run, Runner, source } from '../../unit/functions/runner/harness.ts';

const STARTS = 20;
const ROUNDS = 12;
const WARM_RUNS = 4_000;
const REQUESTS = 300;

/** A run without work, in a warm process. */
const ECHO = source('run(event) { this.$emit(event); }');

interface Bench {
  level: Level;
  runner: Runner;
  close: () => Promise<void>;
}

interface Row {
  level: Level;
  'first run ms': string;
  'warm runs/s': number;
  'of process': string;
  /** On a connection that is kept alive, and on a new connection each. */
  'request ms': string;
  'more than process': string;
  'new connection ms': string;
  'more for a connection': string;
}

/**
 * Start of a process, throughput of warm runs, and one HTTP request of a component, at each level of this machine, one
 * after the other.
 */
export async function isolation(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'isolation-bench-'));
  const program = join(folder, 'spawner.cjs');
  await buildProgram('spawner', program);
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const requests = requestsTo((server.address() as AddressInfo).port);
  const benches = await Promise.all((await available()).map((level) => open(level, program)));
  const starts = new Map<Level, number[]>();
  const warm = new Map<Level, number[]>();
  const request = new Map<Level, number[]>();
  const connection = new Map<Level, number[]>();
  // Alternately, because this machine is not equally fast all the time.
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { level, runner } of benches) {
      note(warm, level, await runsPerSecond(runner));
      const [kept, fresh] = await msPerRequest(runner, requests);
      note(request, level, kept);
      note(connection, level, fresh);
    }
  }
  for (let n = 0; n < STARTS; n += 1) {
    for (const { level, runner } of benches) note(starts, level, await firstRun(runner, n));
  }
  for (const { close } of benches) await close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
  return benches.map(({ level }) => ({
    level,
    'first run ms': median(starts.get(level)).toFixed(0),
    'warm runs/s': Math.round(median(warm.get(level))),
    'of process': median(ratios(warm, level)).toFixed(3),
    'request ms': median(request.get(level)).toFixed(3),
    'more than process': (median(request.get(level)) - median(request.get('process'))).toFixed(3),
    'new connection ms': median(connection.get(level)).toFixed(3),
    'more for a connection': (median(connection.get(level)) - median(connection.get('process'))).toFixed(3),
  }));
}

async function available(): Promise<Level[]> {
  const found = await Promise.all(
    LEVELS.map((level) =>
      chooseIsolation(level).then(
        () => [level],
        () => [],
      ),
    ),
  );
  return found.flat();
}

async function open(level: Level, program: string): Promise<Bench> {
  const spawner = new Spawner(program, { asked: level });
  const runner = await Runner.start({ processes: spawner });
  const close = async () => {
    await runner.close();
    await spawner.close();
  };
  return { level, runner, close };
}

/** Without a spare process: the memory limit is not the usual one. */
async function firstRun(runner: Runner, n: number): Promise<number> {
  const before = performance.now();
  await runner.run(`${ECHO}// ${n}`, { limits: { memoryMb: 200 } });
  return performance.now() - before;
}

async function runsPerSecond(runner: Runner): Promise<number> {
  await runner.run(ECHO);
  const jobs = Array.from({ length: WARM_RUNS }, () => run({ a: 1 }));
  const before = performance.now();
  await runner.run(ECHO, { jobs, limits: { timeoutMs: 60_000 } });
  return WARM_RUNS / ((performance.now() - before) / 1000);
}

/** A component that times its own requests. */
const requestsTo = (port: number) =>
  source(
    `async run() {
      const get = (agent) => new Promise((ok, no) => http.get({ port: ${port}, host: '127.0.0.1', agent }, (r) => r.resume().on('end', ok)).on('error', no));
      const time = async (agent) => {
        await get(agent);
        const before = performance.now();
        for (let n = 0; n < ${REQUESTS}; n += 1) await get(agent);
        return (performance.now() - before) / ${REQUESTS};
      };
      const kept = new http.Agent({ keepAlive: true });
      this.$emit([await time(kept), await time(false)]);
      kept.destroy();
    }`,
    `import http from 'node:http';`,
  );

async function msPerRequest(runner: Runner, code: string): Promise<[number, number]> {
  const { events } = await runner.run(code, { limits: { timeoutMs: 60_000 } });
  const [kept, fresh] = events[0] as [number, number];
  return [kept, fresh];
}

function note(values: Map<Level, number[]>, level: Level, value: number): void {
  values.set(level, [...(values.get(level) ?? []), value]);
}

const ratios = (values: Map<Level, number[]>, level: Level): number[] =>
  (values.get(level) ?? []).map((value, round) => value / (values.get('process')?.[round] ?? NaN));

const median = (values: readonly number[] = []): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
