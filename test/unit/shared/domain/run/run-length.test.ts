import { expect, test } from 'vitest';
import { longUntilHour, runsShortly } from '../../../../../shared/domain/run/run-length.ts';

const HOUR = 60 * 60 * 1_000;
const now = Date.UTC(2031, 0, 1, 12, 30);

test('runs of a source are not known to be short before the first one', () => {
  expect(runsShortly(undefined, now)).toBe(false);
  expect(runsShortly(longUntilHour(undefined, 999, now), now)).toBe(true);
});

test('after a run of a second, the runs of the next hour count as long, however short they are', () => {
  let until = longUntilHour(0, 1_000, now);
  until = longUntilHour(until, 1, now + 1);

  expect([1, HOUR, 2 * HOUR].map((later) => runsShortly(until, now + later))).toEqual([false, false, true]);
});
