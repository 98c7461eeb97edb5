import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reserveSlots } from '../../../../../shared/domain/delivery/send-slots.ts';

test('in any second at most as many attempts begin as the limit says, also when each is up to 25 ms late', () => {
  const reservation = fc.record({
    count: fc.integer({ min: 1, max: 50 }),
    later: fc.integer({ min: 0, max: 500 }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(reservation, { maxLength: 30 }),
      fc.infiniteStream(fc.integer({ min: 0, max: 25 })),
      (perSecond, reservations, lateness) => {
        let [now, free] = [1_000_000, undefined as number | undefined];
        const started: number[] = [];
        for (const { count, later } of reservations) {
          now += later;
          const reserved = reserveSlots({ free, perSecond, count, now, horizonMs: 1_000 });
          ({ free } = reserved);
          for (const slot of reserved.slots) started.push(slot + (lateness.next().value ?? 0));
        }
        started.sort((a, b) => a - b);
        started.forEach((at, index) => {
          const inSecond = started.slice(index).filter((other) => other < at + 1_000).length;
          expect(inSecond).toBeLessThanOrEqual(perSecond);
        });
      },
    ),
    { seed: 1 },
  );
});

test('slots are spread evenly', () => {
  const { slots } = reserveSlots({ free: undefined, perSecond: 10, count: 5, now: 0, horizonMs: 1_000 });
  expect(slots).toEqual([0, 103, 206, 309, 412]);
});

test('slots beyond the horizon are not given away', () => {
  const request = { perSecond: 10, count: 100, now: 0, horizonMs: 1_000 };
  const { slots, free } = reserveSlots({ free: undefined, ...request });
  expect(slots).toHaveLength(10);
  expect(reserveSlots({ free, ...request })).toEqual({ slots: [], free });
});
