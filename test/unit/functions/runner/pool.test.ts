import { existsSync, readFileSync } from 'node:fs';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { directProcesses, type Processes } from '../../../../shared/runtime/processes.ts';
import { until } from '../../../support/until.ts';
import { describeJob, Runner, source } from './harness.ts';

let runner: Runner;
afterEach(() => runner.close());

const pidOf = (code: string) => source(`run() { this.$emit(process.pid); }`, `// ${code}`);

async function run(code: string): Promise<number> {
  const [pid] = (await runner.run(code)).events;
  return Number(pid);
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  await until(`the end of ${pid}`, () => !isAlive(pid));
}

test('the child that was idle for longest is ended when there are too many', async () => {
  runner = await Runner.start({ warm: 2 });
  const [a, b, c] = ['a', 'b', 'c'].map(pidOf) as [string, string, string];
  const first = await run(a);
  const second = await run(b);
  expect(await run(a)).toBe(first);
  await run(c);

  await gone(second);
  expect(await run(a)).toBe(first);
});

test('an idle child is ended after five minutes, and then no timer runs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  runner = await Runner.start();
  const child = await run(pidOf('idle'));
  vi.advanceTimersByTime(4 * 60_000);
  expect(isAlive(child)).toBe(true);
  vi.advanceTimersByTime(70_000);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await gone(child);
});

test('a process that waits wakes its host once in five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  runner = await Runner.start();
  await run(pidOf('waits'));
  vi.advanceTimersByTime(10_000);
  const endsAt = performance.now() + 60_000;
  let wakes = 0;
  for (; performance.now() < endsAt; wakes += 1) vi.advanceTimersToNextTimer();
  expect(wakes).toBeLessThanOrEqual(14);
});

test('a process that works between its runs is checked again within a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  runner = await Runner.start();
  const work = 'setInterval(() => { for (const end = Date.now() + 5; Date.now() < end;); }, 20);';
  const child = await run(source(`run() { this.$emit(process.pid); ${work} }`));
  const processorTicks = () => readFileSync(`/proc/${child}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
  for (let check = 0; check < 4; check += 1) {
    const before = processorTicks();
    // `until` would wait for a timer, which this test fires itself.
    while (processorTicks() === before);
    const startedAt = performance.now();
    vi.advanceTimersToNextTimer();
    expect(performance.now() - startedAt).toBeLessThanOrEqual(1_000);
  }
});

test('after ten seconds idle children keep to their memory, in which the program of Node does not count', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  // Each of them has 7 to 14 MB of its own, and 40 MB or more with the program.
  runner = await Runner.start({ idleMb: 32 });
  const children: number[] = [];
  for (let n = 0; n < 6; n += 1) children.push(await run(pidOf(`idle ${n}`)));
  vi.advanceTimersByTime(6000);
  expect(children.every(isAlive)).toBe(true);

  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  const [first = 0, ...others] = children;
  await gone(first);
  expect(others.slice(-2).every(isAlive)).toBe(true);
});

const allOf = async (codes: readonly string[]) => {
  const pids: number[] = [];
  for (const code of codes) pids.push(await run(code));
  return pids;
};

test('more sources than may stay warm keep their processes while they run every half minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  runner = await Runner.start({ warm: 2 });
  const codes = ['a', 'b', 'c', 'd'].map(pidOf);
  await allOf(codes);
  const pids = await allOf(codes);
  expect(await allOf(codes)).toEqual(pids);
  // A source that runs for the first time does not end them.
  const once = await run(pidOf('once'));
  expect(await allOf(codes)).toEqual(pids);

  vi.advanceTimersByTime(25_000);
  expect(pids.every(isAlive)).toBe(true);
  vi.advanceTimersByTime(11_000);
  vi.useRealTimers();
  for (const pid of [once, ...pids.slice(0, 2)]) await gone(pid);
  expect(pids.slice(2).every(isAlive)).toBe(true);
});

test('sources that run every minute end the process that was idle for longest, however often they ran', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  runner = await Runner.start({ warm: 2 });
  const codes = ['a', 'b', 'c'].map(pidOf);
  const pids: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    for (const code of codes) {
      vi.advanceTimersByTime(20_000);
      pids.push(await run(code));
    }
  }
  expect(new Set(pids).size).toBe(6);
});

test('processes of sources that run every half minute keep to twice the memory of idle ones', async () => {
  // Each of them has 7 to 14 MB of its own.
  runner = await Runner.start({ warm: 2, idleMb: 16 });
  const codes = ['a', 'b', 'c', 'd', 'e', 'f'].map(pidOf);
  await allOf(codes);
  const pids = await allOf(codes);

  const [first = 0] = pids;
  await gone(first);
  expect(pids.slice(-2).every(isAlive)).toBe(true);
});

test('a source with new code gets a new process, and the old one is ended', async () => {
  runner = await Runner.start();
  const [before, after] = [runner.request(pidOf('before')), runner.request(pidOf('after'))];
  const [old] = (await runner.send(before)).events;
  const [fresh] = (await runner.send({ ...after, processKey: before.processKey })).events;

  expect(fresh).not.toBe(old);
  await gone(Number(old));
});

test('a process that only described a component is not kept, nor one whose code did not load', async () => {
  runner = await Runner.start();
  const pid = (
    await runner.run(
      source('run() {}', 'const pid = process.pid; process.env.PD = pid;').replace("'Test'", 'String(pid)'),
      { jobs: [describeJob()] },
    )
  ).of('described')[0]?.description.name;
  await gone(Number(pid));

  const failing = `throw new Error(String(process.pid));`;
  const pids = [await runner.run(failing), await runner.run(failing)].map(
    (response) => response.of('end')[0]?.error?.message.match(/\d+$/)?.[0],
  );
  expect(pids[0]).not.toBe(pids[1]);
  await gone(Number(pids[0]));
});

test('a request with another memory limit gets another process', async () => {
  runner = await Runner.start();
  const code = source(
    `run() { this.$emit(require('v8').getHeapStatistics().heap_size_limit > 400e6); }`,
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  );

  expect((await runner.run(code)).events).toEqual([false]);
  expect((await runner.run(code, { limits: { memoryMb: 512 } })).events).toEqual([true]);
});

/** Processes of which the first ones fail to start when the test says so. */
function failing(count: number): { processes: Processes; fail(): void } {
  const direct = directProcesses();
  const fails: (() => void)[] = [];
  return {
    processes: {
      ...direct,
      start: (options) =>
        fails.length < count
          ? new Promise((_, reject) => fails.push(() => reject(new Error('no process'))))
          : direct.start(options),
    },
    fail: () => {
      for (const fail of fails) fail();
    },
  };
}

test('a spare process that does not start is replaced once', async () => {
  const { processes, fail } = failing(1);
  runner = await Runner.start({ processes });
  const response = runner.run(pidOf('spare'));
  await until('the request waits for the spare process', () => runner.fetched.length > 0);
  fail();
  expect((await response).ends).toEqual(['ok']);
});

/** Processes whose files outlive them, and the pids of those that are ready. */
function observed(): { processes: Processes; ready: number[] } {
  const direct = directProcesses();
  const ready: number[] = [];
  const start: Processes['start'] = async (options) => {
    onTestFinished(() => direct.remove(options.temporary));
    const started = await direct.start({ ...options, temporary: `${options.temporary}-unused` });
    // The first line says that the process is ready.
    started.lines.once('data', () => ready.push(started.pid ?? 0));
    return started;
  };
  return { processes: { ...direct, start }, ready };
}

/** Resolves when the runner has noticed that it is gone. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(`the end of ${pid}`, () => !existsSync(`/proc/${pid}`));
}

test('the first run of a source is in the process that waits for it', async () => {
  const { processes, ready } = observed();
  runner = await Runner.start({ processes });
  for (const count of [1, 2]) {
    const waiting = await until('a process waits', () => ready[count - 1]);
    expect(await run(pidOf(`new ${count}`))).toBe(waiting);
  }
});

test('a spare process that ends while it gets the code of its source is replaced', async () => {
  const { processes, ready } = observed();
  runner = await Runner.start({ processes, beforeBundle: () => kill(ready[0] ?? 0) });
  await until('the spare process is ready', () => ready.length === 1);
  const response = await runner.run(pidOf('spare'));
  expect(response.ends).toEqual(['ok']);
  expect(response.events).not.toEqual(ready.slice(0, 1));
});

test('a spare process that has ended is replaced when a source needs one', async () => {
  const { processes, ready } = observed();
  runner = await Runner.start({ processes });
  await until('the spare process is ready', () => ready.length === 1);
  await kill(ready[0] ?? 0);
  const first = await run(pidOf('first'));
  await until('another spare process is ready', () => ready.length === 3);
  const second = await run(pidOf('second'));
  expect([first, second].toSorted()).toEqual(ready.slice(1, 3).toSorted());
});

test('processes that do not start give the job back', async () => {
  const { processes, fail } = failing(Infinity);
  runner = await Runner.start({ processes });
  const response = runner.run(pidOf('spare'));
  await until('the request waits for the spare process', () => runner.fetched.length > 0);
  // Further processes are asked for only after the first one has failed.
  const failAll = setInterval(fail, 10);
  onTestFinished(() => clearInterval(failAll));
  expect((await response).of('unready').map(({ message }) => message)).toEqual([expect.stringContaining('no process')]);
});

test('idle children together keep to their share of memory, however many of them are allowed', async () => {
  // The sweep of idle children would end it, too.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  runner = await Runner.start({ warm: 2 });
  const large = (code: string) =>
    source(`run() { globalThis.kept ??= Buffer.alloc(60 * 1024 * 1024, 1); this.$emit(process.pid); }`, `// ${code}`);
  const first = await run(large('a'));
  const second = await run(large('b'));
  vi.useRealTimers();

  await gone(first);
  expect(await run(large('b'))).toBe(second);
});
