import { describe, expect, test } from 'vitest';
import {
  delayAfter,
  leastDelayAfter,
  retryAfterMs,
  triesText,
} from '../../../../../shared/domain/delivery/retry-schedule.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const schedule = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const failed = { retrySeconds: null, timedOut: false, random: 0.5 };

describe('the retry schedule', () => {
  test.each(schedule.map((delay, index) => ({ attempt: index + 1, delay })))(
    'attempt $attempt is followed after $delay ms, give or take a fifth',
    ({ attempt, delay }) => {
      expect(delayAfter({ ...failed, attempt })).toBe(delay);
      expect(delayAfter({ ...failed, attempt, random: 0 })).toBe(Math.round(delay * 0.8));
      expect(delayAfter({ ...failed, attempt, random: 0.999999 })).toBeCloseTo(delay * 1.2, -3);
    },
  );

  test('there are ten attempts, and no eleventh', () => {
    expect(delayAfter({ ...failed, attempt: 9 })).toBeDefined();
    expect(delayAfter({ ...failed, attempt: 10 })).toBeUndefined();
    expect(delayAfter({ ...failed, attempt: 11 })).toBeUndefined();
  });

  test('all of it takes 75.6 hours', () => {
    const all = schedule.reduce((sum, delay) => sum + delay, 0);
    expect(Math.round((all / HOUR) * 10) / 10).toBe(75.6);
  });

  test.each([
    { attempt: 2, retryAfterMs: 1, expected: 5 * MINUTE },
    { attempt: 2, retryAfterMs: 7 * MINUTE, expected: 7 * MINUTE },
    { attempt: 2, retryAfterMs: HOUR, expected: HOUR },
    { attempt: 2, retryAfterMs: 3 * HOUR, expected: 2 * HOUR + 10 * MINUTE },
  ])('Retry-After of $retryAfterMs ms after attempt $attempt waits $expected ms', ({ expected, ...overrides }) => {
    expect(delayAfter({ ...failed, ...overrides })).toBe(expected);
  });

  test('429 and timeouts wait at least a minute', () => {
    expect(delayAfter({ ...failed, attempt: 1, status: 429 })).toBe(MINUTE);
    expect(delayAfter({ ...failed, attempt: 1, timedOut: true })).toBe(MINUTE);
    expect(delayAfter({ ...failed, attempt: 2, timedOut: true })).toBe(5 * MINUTE);
    expect(delayAfter({ ...failed, attempt: 1, status: 500 })).toBe(5 * SECOND);
  });
});

describe("a webhook's own schedule", () => {
  const own = { ...failed, retrySeconds: [1, 600] };

  test('has its pauses, with the same jitter, and ends after them', () => {
    expect(delayAfter({ ...own, attempt: 1 })).toBe(SECOND);
    expect(delayAfter({ ...own, attempt: 2, random: 0 })).toBe(8 * MINUTE);
    expect(delayAfter({ ...own, attempt: 3 })).toBeUndefined();
    expect(delayAfter({ ...failed, retrySeconds: [], attempt: 1 })).toBeUndefined();
  });

  test('keeps the rules of 429, timeouts and Retry-After', () => {
    expect(delayAfter({ ...own, attempt: 1, status: 429 })).toBe(MINUTE);
    expect(delayAfter({ ...own, attempt: 1, timedOut: true })).toBe(MINUTE);
    const late = { ...own, attempt: 2, retryAfterMs: 9 * HOUR };
    expect(delayAfter(late)).toBe(2 * HOUR + 20 * MINUTE);
    expect(leastDelayAfter(late)).toBe(2 * HOUR + 20 * MINUTE);
  });

  test.each([
    [null, '10 tries in 75.6 h'],
    [[], '1 try'],
    [[5], '2 tries in 5 s'],
    [[30, 60], '3 tries in 1.5 min'],
    [[86_400, 86_400], '3 tries in 48 h'],
  ])('%j is %s in words', (pauses, text) => {
    expect(triesText(pauses)).toBe(text);
  });
});

describe('Retry-After', () => {
  const now = Date.UTC(2026, 0, 1);
  test.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-1e99x', undefined],
  ])('%j is %s', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});
