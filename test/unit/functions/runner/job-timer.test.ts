import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { JobTimer } from '../../../../functions/runner/job-timer.ts';

let waitedMs: number;
let timeouts: number;
let timer: JobTimer;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  waitedMs = 0;
  timeouts = 0;
  const output = {
    get waitedMs() {
      return waitedMs;
    },
    restart: () => (waitedMs = 0),
  };
  timer = new JobTimer(output, () => (timeouts += 1));
});
afterEach(() => {
  timer.stop();
  vi.useRealTimers();
});

test('a job that takes longer than its limit is reported once', () => {
  timer.start(1_000);
  vi.advanceTimersByTime(990);
  expect([timer.elapsedMs, timeouts]).toEqual([990, 0]);
  vi.advanceTimersByTime(5_000);
  expect(timeouts).toBe(1);
});

test('time in which the output waits for its reader does not count', () => {
  timer.start(1_000);
  waitedMs = 600;
  vi.advanceTimersByTime(1_500);
  expect([timer.elapsedMs, timeouts]).toEqual([900, 0]);
  vi.advanceTimersByTime(100);
  expect(timeouts).toBe(1);
});

test('each job starts at zero, and so does the time that its output waits', () => {
  timer.start(1_000);
  waitedMs = 300;
  vi.advanceTimersByTime(900);
  timer.start(1_000);
  expect(timer.elapsedMs).toBe(0);
  vi.advanceTimersByTime(990);
  expect([timer.elapsedMs, timeouts]).toEqual([990, 0]);
});

test('nothing is reported after the timer was stopped', () => {
  timer.start(1_000);
  timer.stop();
  vi.advanceTimersByTime(5_000);
  expect(timeouts).toBe(0);
});
