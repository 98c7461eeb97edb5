import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDue } from '../../../../../shared/domain/component/timer-ticks.ts';
import { delayUntil, dueWithin, minuteOf } from '../../../../../shared/service/timers/due-times.ts';

const MINUTE = 60_000;

describe('an interval that is no whole minute', () => {
  test(`ticks exactly once per interval, from one interval after activation on, with any rounding of the schedule's time`, () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 15, max: 400 }),
        fc.integer({ min: 0, max: 2 ** 41 }),
        fc.array(fc.integer({ min: -29_000, max: 29_000 }), { minLength: 20, maxLength: 20 }),
        (intervalSeconds, anchor, roundings) => {
          const timer = { anchor, intervalSeconds };
          const ticks = dueWithin(timer, anchor, anchor + 2 * MINUTE);
          for (const [index, rounding] of roundings.entries()) {
            const scheduledAt = anchor + (index + 1) * MINUTE + rounding;
            const { from, to } = minuteOf(anchor, scheduledAt);
            ticks.push(...dueWithin(timer, from, to));
          }
          const expected: number[] = [];
          for (let n = 1; n * intervalSeconds * 1000 < (roundings.length + 2) * MINUTE; n += 1)
            expected.push(anchor + n * intervalSeconds * 1000);
          expect(ticks).toEqual(expected);
        },
      ),
      { seed: 1 },
    );
  });

  test('comes at its exact second: delays are whole seconds, never early, at most a quarter of an hour', () => {
    expect(delayUntil(10_000, 0)).toBe(10);
    expect(delayUntil(10_001, 0)).toBe(11);
    expect(delayUntil(0, 10_000)).toBe(0);
    expect(delayUntil(10_000_000, 0)).toBe(900);
  });
});

test('the next tick keeps the phase of the anchor, is later than now, and is at most one interval away', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 15, max: 100_000 }),
      fc.integer({ min: 0, max: 2 ** 41 }),
      fc.integer({ min: -5_000, max: 2 ** 32 }),
      (intervalSeconds, anchor, age) => {
        const next = nextDue({ anchor, intervalSeconds }, anchor + age);
        const wait = next - (anchor + Math.max(age, 0));
        expect((next - anchor) % (intervalSeconds * 1_000)).toBe(0);
        expect(wait > 0 && wait <= intervalSeconds * 1_000).toBe(true);
      },
    ),
    { seed: 1 },
  );
});
