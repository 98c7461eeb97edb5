import { describe, expect, test, vi } from 'vitest';
import { hasFairShare, maySpend } from '../../../../../shared/lib/sharing/fair-share.ts';

const use = (usedByAll: number, usedByOne: number, limit = 100) => ({ limit, usedByAll, usedByOne });

describe('a limit that parties share', () => {
  test.each([
    ['below three quarters, also who used all of it', use(74, 74), true],
    ['from three quarters on, who used less than a quarter', use(75, 24), true],
    ['up to the limit', use(99, 24), true],
    ['and nobody at the limit', use(100, 0), false],
    ['from three quarters on, nobody who used a quarter', use(75, 25), false],
    ['of a limit of one, the first', use(0, 0, 1), true],
    ['of a limit of three, all, because its last quarter is less than one', use(2, 2, 3), true],
    ['of a limit of four, the last is not for who has one', use(3, 1, 4), false],
    ['of a limit of zero, nobody', use(0, 0, 0), false],
  ])('serves %s', (_, shared, expected) => {
    expect(hasFairShare(shared, false)).toBe(expected);
  });

  test('serves an only party up to the limit', () => {
    expect(hasFairShare(use(99, 99), true)).toBe(true);
    expect(hasFairShare(use(100, 100), true)).toBe(false);
  });

  test('asks whether a party is the only one when the outcome depends on it', async () => {
    const isOnly = vi.fn(() => Promise.resolve(true));
    expect(await maySpend(use(10, 10), isOnly)).toBe(true);
    expect(await maySpend(use(100, 10), isOnly)).toBe(false);
    expect(isOnly).not.toHaveBeenCalled();
    expect(await maySpend(use(80, 80), isOnly)).toBe(true);
    expect(isOnly).toHaveBeenCalledOnce();
    expect(await maySpend(use(80, 80), () => Promise.resolve(false))).toBe(false);
  });
});
