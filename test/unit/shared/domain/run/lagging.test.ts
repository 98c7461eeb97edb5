import { expect, test } from 'vitest';
import {
  REFUSAL_MS,
  refusalMs,
  refusedForMs,
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
