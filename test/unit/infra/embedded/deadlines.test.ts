import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Deadlines } from '../../../../infra/embedded/deadlines.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<string>(() => undefined);
const after = (ms: number) => new Promise<string>((resolve) => setTimeout(resolve, ms, `after ${ms}`));

test('work in time returns its result, late work the result of onLate', async () => {
  const deadlines = new Deadlines(1_000);
  const outcomes = Promise.all([
    deadlines.within(after(999), () => 'late'),
    deadlines.within(never, () => 'late'),
    deadlines.within(Promise.reject(new Error('failed')), () => 'late').catch(String),
  ]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await outcomes).toEqual(['after 999', 'late', 'Error: failed']);
});

test('work that ended in time is never late, whether it succeeded or failed', async () => {
  const deadlines = new Deadlines(1_000);
  const onLate = vi.fn(() => 'late');
  const ended = [
    deadlines.within(after(10), onLate),
    deadlines.within(Promise.reject(new Error('failed')), onLate).catch(String),
  ];
  await vi.advanceTimersByTimeAsync(10);
  expect(await Promise.all(ended)).toEqual(['after 10', 'Error: failed']);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(onLate).not.toHaveBeenCalled();
});

test('each deadline counts from its own start', async () => {
  const deadlines = new Deadlines(1_000);
  const startedAt = performance.now();
  const late: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    void deadlines.within(never, () => {
      late.push(`${name} at ${performance.now() - startedAt}`);
      return '';
    });
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(2_000);
  expect(late).toEqual(['first at 1000', 'second at 1100', 'third at 1200']);
});

test('all deadlines share one timer, which ends with the last work', async () => {
  const deadlines = new Deadlines(1_000);
  const work = Array.from({ length: 100 }, () => deadlines.within(Promise.resolve('done'), () => 'late'));
  expect(vi.getTimerCount()).toBe(1);
  expect(new Set(await Promise.all(work))).toEqual(new Set(['done']));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(vi.getTimerCount()).toBe(0);
});
