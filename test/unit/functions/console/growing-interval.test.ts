import { expect, test } from 'vitest';
import { ApiError } from '../../../../functions/console/app/api/refused-request.ts';
import { growingInterval } from '../../../../functions/console/app/hooks/growing-interval.ts';

const LIMITS = { firstMs: 400, longestMs: 2_000 };
const after = (reads: number, { failed = 0, error = null as unknown } = {}) =>
  growingInterval({ dataUpdateCount: reads, errorUpdateCount: failed, error }, LIMITS);
const errorOf = (status: number) => new ApiError(status, { error: 'It failed.', code: String(status) });

test('the interval grows by a fifth with each read, up to its limit', () => {
  expect([0, 1, 2, 8, 9, 10_000].map((reads) => after(reads))).toEqual([400, 480, 576, 1_720, 2_000, 2_000]);
  expect(after(1, { failed: 1, error: errorOf(503) })).toBe(576);
});

test('a refusal ends the polling; an error that may pass does not', () => {
  expect([400, 401, 403, 404].map((status) => after(1, { error: errorOf(status) }))).toEqual(
    Array.from({ length: 4 }, () => false),
  );
  expect([0, 429, 500, 503].map((status) => after(0, { error: errorOf(status) }))).toEqual(
    Array.from({ length: 4 }, () => 400),
  );
});
