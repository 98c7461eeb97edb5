import { expect, test } from 'vitest';
import { type FailedAttempt, retryDelayMs } from '../../../../shared/client/retry-delay.ts';

const now = Date.parse('2026-11-22T12:00:00Z');
const failed: FailedAttempt = {
  method: 'GET',
  status: undefined,
  code: undefined,
  retryAfter: undefined,
  earlier: 0,
};
const delayOf = (change: Partial<FailedAttempt>, options = {}) =>
  retryDelayMs({ ...failed, ...change }, { now, random: 1, ...options });
const isRepeated = (change: Partial<FailedAttempt>) => delayOf(change) !== undefined;

test.each(['GET', 'HEAD', 'PUT', 'DELETE'])(
  '%s is repeated when no response came and when the service is not available',
  (method) => {
    for (const status of [undefined, 502, 503, 504]) expect(isRepeated({ method, status })).toBe(true);
  },
);

test('POST is not repeated without a response, because the first attempt may have made something', () => {
  for (const status of [undefined, 502, 503, 504]) expect(isRepeated({ method: 'POST', status })).toBe(false);
});

test('POST is repeated after answers that say that nothing was made', () => {
  expect(isRepeated({ method: 'POST', status: 429, code: 'overloaded' })).toBe(true);
  expect(isRepeated({ method: 'POST', status: 503, code: 'still_building' })).toBe(true);
});

test.each([400, 401, 404, 405, 409, 413, 415, 500])('no request is repeated after %i', (status) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) expect(isRepeated({ method, status })).toBe(false);
});

test('Retry-After decides the wait, in seconds or as a date', () => {
  expect(delayOf({ status: 429, retryAfter: '7' })).toBe(7_000);
  expect(delayOf({ status: 503, retryAfter: 'Sun, 22 Nov 2026 12:00:09 GMT' })).toBe(9_000);
  expect(delayOf({ status: 503, retryAfter: 'Sun, 22 Nov 2026 11:00:00 GMT' })).toBe(0);
  expect(delayOf({ status: 503, retryAfter: 'soon' })).toBe(250);
});

test('a wait that is longer than allowed ends the attempts', () => {
  expect(delayOf({ status: 429, retryAfter: '31' })).toBeUndefined();
  expect(delayOf({ status: 429, retryAfter: '31' }, { maxWaitMs: 60_000 })).toBe(31_000);
});

test('without Retry-After the waits double, and differ between clients', () => {
  expect([0, 1, 2, 3].map((earlier) => delayOf({ earlier }))).toEqual([250, 500, 1_000, 2_000]);
  expect(delayOf({ earlier: 1 }, { random: 0 })).toBe(250);
  expect(delayOf({ earlier: 30 }, { retries: 99 })).toBe(8_000);
});

test('there are four repetitions, or as many as are set', () => {
  expect(isRepeated({ earlier: 3 })).toBe(true);
  expect(isRepeated({ earlier: 4 })).toBe(false);
  expect(delayOf({ earlier: 0 }, { retries: 0 })).toBeUndefined();
});
