import { expect, test } from 'vitest';
import { atFirstUse, loadedAtFirstUse } from '../../../../shared/lambda/at-first-use.ts';

test('a value is made at its first use, and once', () => {
  let made = 0;
  const value = atFirstUse(() => (made += 1));
  expect(made).toBe(0);
  expect([value(), value()]).toEqual([1, 1]);
});

test('a value that could not be made is made at the next use', () => {
  let attempts = 0;
  const value = atFirstUse(() => {
    attempts += 1;
    if (attempts === 1) throw new Error('not yet');
    return attempts;
  });
  expect(value).toThrow('not yet');
  expect(value()).toBe(2);
});

test('a value that is loaded at its first use is loaded once, and again after a load that failed', async () => {
  let loads = 0;
  const value = loadedAtFirstUse(async () => {
    loads += 1;
    await Promise.resolve();
    if (loads === 1) throw new Error('not yet');
    return loads;
  });
  expect(loads).toBe(0);
  await expect(value()).rejects.toThrow('not yet');
  expect(await Promise.all([value(), value()])).toEqual([2, 2]);
});
