import { expect, test } from 'vitest';
import { createPeriodGate } from '../../../../shared/lib/period-gate.ts';

test('one call a period passes for each key', () => {
  let now = 0;
  const passes = createPeriodGate<string>({ ttlMs: 60_000, maxEntries: 10, now: () => now });
  expect([passes('one'), passes('one'), passes('other')]).toEqual([true, false, true]);
  now = 59_999;
  expect(passes('one')).toBe(false);
  now = 60_000;
  expect([passes('one'), passes('one')]).toEqual([true, false]);
});
