import { describe, expect, test } from 'vitest';
import { billingPeriod } from '../../../../../shared/domain/user/billing-period.ts';

describe('a billing period is a month from the moment the plan became paid', () => {
  const usual = '2026-02-03T04:05:06.789Z';
  const monthEnd = '2027-10-31T23:59:59.999Z';
  test.each([
    [usual, usual, usual, '2026-03-03T04:05:06.789Z'],
    ['2026-03-03T04:05:06.788Z', usual, usual, '2026-03-03T04:05:06.789Z'],
    ['2026-03-03T04:05:06.789Z', usual, '2026-03-03T04:05:06.789Z', '2026-04-03T04:05:06.789Z'],
    ['2026-12-31T23:59:59Z', usual, '2026-12-03T04:05:06.789Z', '2027-01-03T04:05:06.789Z'],
    ['2027-01-01T00:00:00Z', usual, '2026-12-03T04:05:06.789Z', '2027-01-03T04:05:06.789Z'],
    // At the last days of months, and of a leap year's February.
    ['2027-11-15T00:00:00Z', monthEnd, monthEnd, '2027-11-30T23:59:59.999Z'],
    ['2027-12-01T00:00:00Z', monthEnd, '2027-11-30T23:59:59.999Z', '2027-12-31T23:59:59.999Z'],
    ['2028-02-29T12:00:00Z', monthEnd, '2028-01-31T23:59:59.999Z', '2028-02-29T23:59:59.999Z'],
    ['2028-03-01T00:00:00Z', monthEnd, '2028-02-29T23:59:59.999Z', '2028-03-31T23:59:59.999Z'],
    ['2029-03-01T00:00:00Z', monthEnd, '2029-02-28T23:59:59.999Z', '2029-03-31T23:59:59.999Z'],
    // A clock behind the one that set the plan.
    ['2026-01-31T00:00:00Z', usual, usual, '2026-03-03T04:05:06.789Z'],
  ])('at %s, paid since %s: %s to %s', (now, since, start, end) => {
    const { start: from, end: to } = billingPeriod(Date.parse(now), Date.parse(since));
    expect([from, to].map((at) => new Date(at).toISOString())).toEqual([start, end]);
  });
});
