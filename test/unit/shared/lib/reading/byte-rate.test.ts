import { expect, test } from 'vitest';
import { ByteRate } from '../../../../../shared/lib/reading/byte-rate.ts';

function rateFrom(start = 5_000) {
  let at = start;
  const pauses: number[] = [];
  const rate = new ByteRate({
    bytesPerSecond: 100,
    burstBytes: 400,
    now: () => at,
    pause: (ms) => {
      pauses.push(ms);
      at += ms;
      return Promise.resolve();
    },
  });
  return { rate, pauses, advance: (ms: number) => (at += ms) };
}

test('a key spends its burst at once, and then as many bytes a second as it may', async () => {
  const { rate, pauses } = rateFrom();
  await rate.spend('a', 300);
  await rate.spend('a', 100);
  expect(pauses).toEqual([]);
  for (let n = 0; n < 3; n += 1) await rate.spend('a', 50);
  expect(pauses).toEqual([500, 500, 500]);
});

test('keys have budgets of their own, and time pays them off', async () => {
  const { rate, pauses, advance } = rateFrom();
  await rate.spend('a', 400);
  await rate.spend('b', 400);
  expect(pauses).toEqual([]);
  advance(60_000);
  await rate.spend('a', 400);
  expect(pauses).toEqual([]);
  await rate.spend('a', 1_000);
  expect(pauses).toEqual([10_000]);
});
