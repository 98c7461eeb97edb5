import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addNumbers,
  numberSize,
  numberText,
  parseNumber,
  sortableNumber,
} from '../../../../../../infra/embedded/dynamodb/values/number.ts';

/** A run has the same numbers as the one before. */
const SEED = 1;

const finite = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -9e15, max: 9e15 })
    .filter((n) => n === 0 || Math.abs(n) > 1e-130),
  fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }).filter((n) => n > 2n ** 53n || n < -(2n ** 53n)),
);

describe('a number', () => {
  it('sorts as a text like the number', () => {
    fc.assert(
      fc.property(finite, finite, (a, b) => {
        const order = sortableNumber(a) < sortableNumber(b) ? -1 : sortableNumber(a) > sortableNumber(b) ? 1 : 0;
        expect(order).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      { numRuns: 2000, seed: SEED },
    );
  });

  it('is the same after writing and reading', () => {
    fc.assert(
      fc.property(finite, (n) => {
        expect(parseNumber(numberText(n))).toEqual(typeof n === 'number' ? n + 0 : n);
      }),
      { numRuns: 2000, seed: SEED },
    );
  });

  it.each([
    [0, 1],
    [1, 2],
    [10, 2],
    [12, 2],
    [100, 2],
    [-1, 3],
    [1_700_000_000_000, 3],
    [1_734_567_890_123, 8],
    [0.5, 2],
  ])('%d takes %d bytes', (n, bytes) => {
    expect(numberSize(n)).toBe(bytes);
  });

  it.each<[number | bigint, number | bigint, number | bigint]>([
    [0.1, 0.2, 0.3],
    [1e-7, -1e-7, 0],
    [9007199254740991, 1, 9007199254740992n],
    [9007199254740993n, -2, 9007199254740991],
    [1.5, 1e15, 1000000000000001.5],
  ])('%s plus %s is %s', (a, b, sum) => {
    expect(addNumbers(a, b)).toBe(sum);
  });
});
