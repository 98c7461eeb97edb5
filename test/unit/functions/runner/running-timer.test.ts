import { expect, test } from 'vitest';
import { afterRunning } from '../../../../functions/runner/running-timer.ts';
import { until } from '../../../support/until.ts';

/** Stands still, as a frozen process does. */
const freeze = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('time in which the process stood still does not count', async () => {
  let calls = 0;
  const started = performance.now();
  afterRunning(200, () => (calls += 1));
  freeze(400);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(calls).toBe(0);
  await until('the call', () => calls > 0);
  expect(performance.now() - started).toBeGreaterThan(550);
  expect(calls).toBe(1);
});

test('a stopped timer does not call', async () => {
  let calls = 0;
  const stop = afterRunning(20, () => (calls += 1));
  stop();
  afterRunning(60, () => (calls += 10));
  await until('the other one', () => calls >= 10);
  expect(calls).toBe(10);
});
