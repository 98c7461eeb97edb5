import { afterAll, beforeAll, expect, test } from 'vitest';
import { EarlierJobs } from '../../../../functions/runner/earlier-jobs.ts';
import { until } from '../../../support/until.ts';
import { type RunResponse, Runner, run, source } from './harness.ts';

let runner: Runner;
beforeAll(async () => {
  runner = await Runner.start();
});
afterAll(() => runner.close());

/** Each run goes on after its end and emits once. */
const LATE = source('run() { setTimeout(() => this.$emit(1), 10); }');
/** Runs the code with further events until its process reports late work. */
async function reported(code: string, options = { readsLateLines: true }): Promise<RunResponse> {
  return until('a line late', async () => {
    const response = await runner.run(code, options);
    return response.of('late').length > 0 && response;
  });
}

test('a process reports late work of an earlier run at the start of the next one', async () => {
  const first = await runner.run(LATE, { readsLateLines: true, processKey: 'dc_late' });
  expect(first.of('late')).toEqual([]);
  const [line] = (await reported(LATE)).of('late');
  expect(line?.counts).toEqual({ emits: 1, logs: 0, writes: 0, responses: 0, errors: 0 });
  expect(line?.run).not.toBe(line?.job);
});

test('a caller of an earlier release gets no line that it cannot read', async () => {
  for (let runs = 0; runs < 5; runs += 1) {
    const response = await runner.run(LATE, { processKey: 'dc_earlier' });
    expect(response.of('late')).toEqual([]);
    expect(response.ends).toEqual(['ok']);
  }
});

test('a component that writes lines itself reports runs of its own process only, each once', async () => {
  const forged = (id: string) =>
    `fs.writeSync(4, JSON.stringify({ k: 'late', job: event.id, run: ${id}, counts: { emits: 7, logs: 0, writes: 0, responses: 0, errors: 0 } }) + '\\n');`;
  const code = source(
    `run(event) { if (event.earlier) for (const id of [event.earlier, event.earlier, event.id, 'job-of-another']) { ${forged('id')} } this.$emit(1); }`,
    "import fs from 'node:fs';",
  );
  const first = run({});
  await runner.run(code, { jobs: [first] });
  const response = await runner.run(code, {
    readsLateLines: true,
    jobs: [{ kind: 'run', id: 'second', event: JSON.stringify({ earlier: first.id, id: 'second' }) }],
  });
  expect(response.of('late').map((line) => line.run)).toEqual([first.id]);
  expect([response.ends, response.events]).toEqual([['ok'], [1]]);
});

test('a process keeps the ids of 100 ended jobs', () => {
  const jobs = new EarlierJobs();
  for (let job = 1; job <= 101; job += 1) jobs.add(`job-${job}`);
  expect(['job-1', 'job-2', 'job-101', 'job-2'].map((id) => jobs.take(id))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});
