import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../support/until.ts';
import { afterEnd, type RunResponse, Runner, source } from './harness.ts';

let runner: Runner;
beforeAll(async () => {
  runner = await Runner.start();
});
afterAll(() => runner.close());

/** Each run goes on after its end and emits once. */
const LATE = source(`run() { ${afterEnd('this.$emit(1);')} }`);
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
