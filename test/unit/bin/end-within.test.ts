import { expect, test } from 'vitest';
import { endWithin } from '../../../bin/end-within.ts';

const HOUR_MS = 3_600_000;
const never = new Promise<void>(() => undefined);

test('a stop that does not end is cut off', async () => {
  expect(await endWithin(never, 1)).toBe(false);
});

test('a stop that ends, or fails, does so', async () => {
  expect(await endWithin(Promise.resolve(), HOUR_MS)).toBe(true);
  await expect(endWithin(Promise.reject(new Error('disk')), HOUR_MS)).rejects.toThrow('disk');
});
