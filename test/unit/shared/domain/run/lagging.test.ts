import { describe, expect, test } from 'vitest';
import {
  laggingAfterMs,
  REFUSAL_MS,
  refusalMs,
  refusedForMs,
  usualBatchMs,
  waitSeconds,
} from '../../../../../shared/domain/run/lagging.ts';

const LONGEST_MS = 300_000 + REFUSAL_MS;

test.each([
  ['nothing was behind', undefined, 0],
  ['the time is over', 1_000_000, 0],
  ['a moment is left', 1_000_001, 1],
  ['all of it is left', 1_000_000 + LONGEST_MS, LONGEST_MS],
  ['the clock was set back since', 1_000_001 + LONGEST_MS, 0],
])('a source is refused for the remaining time when %s', (_, until, left) => {
  expect(refusedForMs(until, 1_000_000)).toBe(left);
});

test('a trigger that is given back waits for a growing time, and its source refuses others for longer than that', () => {
  expect([1, 2, 8, 9, 20].map(waitSeconds)).toEqual([2, 4, 256, 300, 300]);
  for (const receives of [1, 5, 20])
    expect(refusalMs(receives)).toBeGreaterThan(waitSeconds(receives) * 1_000);
  expect(refusedForMs(1_000_000 + refusalMs(20), 1_000_000)).toBe(refusalMs(20));
});

describe('a source is lagging', () => {
  const stage = { runTimeoutMs: 60_000 };

  test.each([
    ['10 s when its batches are short or not known', undefined, 10_000],
    ['10 s and two batches', 20_000, 50_000],
    ['at most a minute more than the time limit of a run', 250_000, 120_000],
  ])('when a trigger waits for more than %s', (_, batchMs, ms) => {
    expect(laggingAfterMs(batchMs, stage)).toBe(ms);
  });

  test('by its longest batch at once, and by shorter ones once several have followed', () => {
    expect(usualBatchMs(undefined, 999)).toBeUndefined();
    const long = usualBatchMs(2_000, 30_000);
    expect(long).toBe(30_000);
    const after = (count: number) =>
      Array.from({ length: count }).reduce<number | undefined>((usual) => usualBatchMs(usual, 100), long);
    expect(after(1)).toBe(27_000);
    expect(after(40)).toBeUndefined();
  });

  test.each([50, 110, 1_000, 10_000, 36_000])(
    'so early that its queue stays within the 120,000 messages that SQS looks at, with batches of %i ms',
    (batchMs) => {
      expect(longestQueue(batchMs)).toBeLessThan(120_000);
    },
  );

  /** The longest queue of a source at the throttle of the preset `standard`, in ten minutes. An endpoint learns 5 s later that it is lagging. */
  function longestQueue(batchMs: number): number {
    const PER_SECOND = 1_000;
    const LEARNS_AFTER_MS = 5_000;
    const sentAt: number[] = Array.from({ length: 2 * PER_SECOND }, () => 0);
    let [completed, longest, arrivedUntil] = [0, 0, 0];
    let usual: number | undefined;
    let refusal = { from: 0, until: 0 };
    for (let start = 0; start < 600_000; start += batchMs) {
      const end = start + batchMs;
      const batch = sentAt.slice(completed, completed + 10);
      for (; arrivedUntil < end; arrivedUntil += 1_000 / PER_SECOND)
        if (arrivedUntil < refusal.from || arrivedUntil >= refusal.until) sentAt.push(arrivedUntil);
      longest = Math.max(longest, sentAt.length - completed);
      completed += batch.length;
      usual = usualBatchMs(usual, batchMs);
      const isLagging = batch.some((at) => end - at > laggingAfterMs(usual, stage));
      const isRefused = refusal.until > end;
      if (isLagging)
        refusal = {
          from: isRefused ? refusal.from : end + LEARNS_AFTER_MS,
          until: end + REFUSAL_MS + (usual ?? 0),
        };
    }
    return longest;
  }
});
