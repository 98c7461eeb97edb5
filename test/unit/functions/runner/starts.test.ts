import { existsSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { directProcesses, type Processes } from '../../../../shared/runtime/processes.ts';
import { until } from '../../../support/until.ts';
import { Runner, source } from './harness.ts';

const STARTS = 2 * availableParallelism();

let runner: Runner;
/** Fails the starts that a test left waiting. */
let failRest: () => void = () => undefined;
afterEach(async () => {
  // The next spare process may be asked for after the last run.
  const failing = setInterval(() => failRest(), 1);
  await runner.close();
  clearInterval(failing);
});

const pidOf = (name: string) => source(`run() { this.$emit(process.pid); }`, `// ${name}`);

/** Processes that start, or fail to, when the test says so. */
function held() {
  const direct = directProcesses();
  const waiting: { tmp: string; start(): void; fail(): void }[] = [];
  const processes: Processes = {
    ...direct,
    start: async (options) => {
      const [tmp = ''] = options.writable;
      await new Promise<void>((start, fail) => waiting.push({ tmp, start, fail: () => fail(new Error('no process')) }));
      return direct.start(options);
    },
  };
  failRest = () => {
    for (const each of waiting.splice(0)) each.fail();
  };
  return { processes, waiting };
}

test('at most two processes per processor start at once; the other requests wait for their turn', async () => {
  const { processes, waiting } = held();
  runner = await Runner.start({ processes });
  const runs = Array.from({ length: STARTS + 4 }, (_, n) => runner.run(pidOf(`source ${n}`)));
  // One request has the process that was started in advance, and the next one of these is starting.
  await until('the next spare process starts', () => waiting.length === STARTS + 2);

  const served = Promise.all(runs);
  let starts = 0;
  while (starts < STARTS + 5) {
    await until('a process starts', () => waiting.length > 0);
    expect(waiting.length).toBeLessThanOrEqual(STARTS + 2);
    waiting.shift()?.start();
    starts += 1;
  }
  expect((await served).flatMap(({ ends }) => ends)).toEqual(runs.map(() => 'ok'));
});

test('a component that a person waits for is loaded while starts for runs wait', async () => {
  const { processes, waiting } = held();
  runner = await Runner.start({ processes });
  const runs = Array.from({ length: STARTS + 4 }, (_, n) => runner.run(pidOf(`source ${n}`)));
  await until('the next spare process starts', () => waiting.length === STARTS + 2);

  const describe = (name: string) => runner.run(pidOf(name), { jobs: [{ kind: 'describe', id: 'describe' }] });
  // The first one takes the spare process, which starts in advance.
  const described = [describe('first'), describe('second')];
  // Those of the runs stay held.
  const starting = setInterval(() => {
    for (const process of waiting.splice(STARTS + 1)) process.start();
  }, 1);
  const responses = await Promise.all(described);
  clearInterval(starting);
  expect(responses.flatMap((response) => response.of('described'))).toHaveLength(2);
  const failing = setInterval(() => failRest(), 1);
  await Promise.all(runs);
  clearInterval(failing);
});

test('processes that do not start make room for the next ones', async () => {
  const { processes, waiting } = held();
  runner = await Runner.start({ processes });
  const failing = setInterval(() => waiting.shift()?.fail(), 1);
  const runs = Array.from({ length: STARTS + 4 }, (_, n) => runner.run(pidOf(`source ${n}`)));

  const messages = (await Promise.all(runs)).flatMap((response) => response.of('unready'));
  clearInterval(failing);
  expect(messages).toHaveLength(STARTS + 4);
  expect(messages.every(({ message }) => message.includes('no process'))).toBe(true);
});

test('a request that waits gets the process of its source that became idle', async () => {
  const { processes, waiting } = held();
  runner = await Runner.start({ processes });
  const slow = source(
    `async run() {
       fs.writeFileSync('/tmp/running', '');
       while (fs.existsSync('/tmp/running')) await new Promise((resolve) => setTimeout(resolve, 5));
       this.$emit(process.pid);
     }`,
    `import fs from 'node:fs';`,
  );
  const spare = waiting.shift() ?? expect.fail('no process is started in advance');
  const file = join(spare.tmp, 'running');
  spare.start();
  const first = runner.run(slow);
  await until('the first run', () => existsSync(file));
  const others = Array.from({ length: STARTS + 1 }, (_, n) => runner.run(pidOf(`source ${n}`)));
  await until('all starts are taken', () => waiting.length > STARTS);
  // It takes the process that was started in advance.
  others.push(runner.run(pidOf('next')));
  const second = runner.run(slow);
  rmSync(file);
  const { events } = await first;

  const starting = setInterval(() => waiting.shift()?.start(), 1);
  await until('the second run is in the same process', () => existsSync(file));
  rmSync(file);
  expect((await second).events).toEqual(events);
  await Promise.all(others);
  clearInterval(starting);
});

test('requests that wait for a start when the runner is closed start none', async () => {
  const { processes, waiting } = held();
  runner = await Runner.start({ processes });
  const runs = Array.from({ length: STARTS + 4 }, (_, n) => runner.run(pidOf(`source ${n}`)));
  await until('all starts are taken', () => waiting.length > STARTS);
  const started = waiting.length;
  const closed = runner.close();
  for (const each of waiting) each.fail();

  await closed;
  const messages = (await Promise.all(runs)).flatMap((response) => response.of('unready'));
  expect(messages.filter(({ message }) => message.includes('was closed'))).not.toEqual([]);
  expect(waiting).toHaveLength(started);
});
