import { describe, expect, test } from 'vitest';
import { delayAfter, retryAfterMs } from '../../../shared/domain/delivery/retry-schedule.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const now = Date.UTC(2026, 0, 1);
const waits = (attempt: number, status: number, header: string): number | undefined =>
  delayAfter({
    ...{ attempt, retrySeconds: null, status, timedOut: false, random: 0.5 },
    retryAfterMs: retryAfterMs(header, now),
  });

describe('a receiver says when it takes the next attempt', () => {
  test.each([429, 503])('`Retry-After: 120` with %i counts on the first retry', (status) => {
    expect(waits(1, status, '120')).toBe(2 * MINUTE);
  });

  test.each([1, 2, 3, 9])(
    'the attempt after number %i comes never earlier than a `Retry-After` of two hours',
    (attempt) => {
      expect(waits(attempt, 503, String(2 * 60 * 60))).toBeGreaterThanOrEqual(2 * HOUR);
    },
  );

  test('it counts up to twice the delay and two hours, as a date too', () => {
    expect(waits(1, 503, '999999')).toBe(2 * HOUR + 10 * SECOND);
    expect(waits(2, 503, 'Fri, 02 Jan 2026 00:00:00 GMT')).toBe(2 * HOUR + 10 * MINUTE);
    expect(waits(9, 503, '999999999')).toBe(50 * HOUR);
  });

  test('each form of a date in HTTP is read', () => {
    const dates = ['Thu, 01 Jan 2026 00:01:00 GMT', 'Thursday, 01-Jan-26 00:01:00 GMT', 'Thu Jan  1 00:01:00 2026'];
    expect(dates.map((date) => retryAfterMs(date, now))).toEqual([MINUTE, MINUTE, MINUTE]);
  });

  test.each(['1.5', '-5', '+5', '1e3', '0x10', '5s', '2026-01-01', 'Jan 2026', '1/2/2026', '', '120, 60'])(
    '%j is ignored',
    (header) => {
      expect(retryAfterMs(header, now)).toBeUndefined();
      expect(waits(1, 503, header)).toBe(5 * SECOND);
    },
  );
});
