import { describe, expect, test } from 'vitest';
import { parseScheduleExpression } from '../../../../../infra/embedded/scheduler/schedule-expression.ts';

const occurrences = (text: string, from: string, { zone = 'UTC', count = 3 } = {}) => {
  const expression = parseScheduleExpression(text, zone);
  const seen: string[] = [];
  let at = expression.first(Date.parse(from), undefined);
  const origin = at ?? 0;
  while (at !== undefined && seen.length < count) {
    seen.push(new Date(at).toISOString().slice(0, 16));
    at = expression.next(at, origin);
  }
  return seen;
};

describe('cron in the dialect of AWS', () => {
  test.each([
    ['cron(0 10 * * ? *)', '2026-01-01T10:00', '2026-01-02T10:00', '2026-01-03T10:00'],
    ['cron(15 12 ? * MON-FRI *)', '2026-01-01T12:15', '2026-01-02T12:15', '2026-01-05T12:15'],
    ['cron(0 8 1 * ? *)', '2026-01-01T08:00', '2026-02-01T08:00', '2026-03-01T08:00'],
    ['cron(0/20 * * * ? *)', '2026-01-01T00:20', '2026-01-01T00:40', '2026-01-01T01:00'],
    ['cron(1/30 5-6 * * ? *)', '2026-01-01T05:01', '2026-01-01T05:31', '2026-01-01T06:01'],
    ['cron(0 0 ? * 1 *)', '2026-01-04T00:00', '2026-01-11T00:00', '2026-01-18T00:00'],
    ['cron(0 0 ? * 7 *)', '2026-01-03T00:00', '2026-01-10T00:00', '2026-01-17T00:00'],
    ['cron(0 0 ? * SUN,SAT *)', '2026-01-03T00:00', '2026-01-04T00:00', '2026-01-10T00:00'],
    ['cron(0 0 ? * L *)', '2026-01-03T00:00', '2026-01-10T00:00', '2026-01-17T00:00'],
    ['cron(15 10 ? * 6L *)', '2026-01-30T10:15', '2026-02-27T10:15', '2026-03-27T10:15'],
    ['cron(0 9 ? * 3#2 *)', '2026-01-13T09:00', '2026-02-10T09:00', '2026-03-10T09:00'],
    ['cron(0 9 ? * TUE#5 *)', '2026-03-31T09:00', '2026-06-30T09:00', '2026-09-29T09:00'],
    ['cron(0 0 L * ? *)', '2026-01-31T00:00', '2026-02-28T00:00', '2026-03-31T00:00'],
    ['cron(0 0 3W * ? *)', '2026-01-02T00:00', '2026-02-03T00:00', '2026-03-03T00:00'],
    ['cron(0 0 LW * ? *)', '2026-01-30T00:00', '2026-02-27T00:00', '2026-03-31T00:00'],
    ['cron(0 0 1,15 JAN,jul ? *)', '2026-01-15T00:00', '2026-07-01T00:00', '2026-07-15T00:00'],
    ['cron(0 0 1 1 ? 2027,2030)', '2027-01-01T00:00', '2030-01-01T00:00'],
    ['cron(0 0 29 2 ? 2026-2033)', '2028-02-29T00:00', '2032-02-29T00:00'],
  ])('%s', (text, ...expected) => {
    expect(occurrences(text, '2026-01-01T00:00Z')).toEqual(expected);
  });

  test.each(['cron(0 0 30 2 ? *)', 'cron(0 0 1 1 ? 2025)'])('%s never occurs', (text) => {
    expect(occurrences(text, '2026-01-01T00:00Z')).toEqual([]);
  });

  test('an occurrence in the current second has passed', () => {
    expect(occurrences('cron(0 0 * * ? *)', '2026-01-01T00:00Z', { count: 1 })).toEqual(['2026-01-02T00:00']);
  });

  test('a start date may itself be an occurrence', () => {
    const start = Date.parse('2026-01-05T10:00Z');
    expect(parseScheduleExpression('cron(0 10 * * ? *)', 'UTC').first(Date.parse('2026-01-01T00:00Z'), start)).toBe(
      start,
    );
  });
});

describe('in a time zone with summer time', () => {
  const zone = 'America/New_York';

  test('the local time of the zone counts', () => {
    expect(occurrences('cron(0 8 * * ? *)', '2026-03-06T00:00Z', { zone, count: 4 })).toEqual([
      '2026-03-06T13:00',
      '2026-03-07T13:00',
      '2026-03-08T12:00',
      '2026-03-09T12:00',
    ]);
  });

  test('a local time in the skipped hour is no occurrence', () => {
    expect(occurrences('cron(30 2 * * ? *)', '2026-03-07T00:00Z', { zone, count: 2 })).toEqual([
      '2026-03-07T07:30',
      '2026-03-09T06:30',
    ]);
  });

  test('a local time in the repeated hour occurs once', () => {
    expect(occurrences('cron(30 1 * * ? *)', '2026-10-31T00:00Z', { zone })).toEqual([
      '2026-10-31T05:30',
      '2026-11-01T05:30',
      '2026-11-02T06:30',
    ]);
  });

  test('the second of two repeated hours has no occurrence after the first', () => {
    expect(occurrences('cron(30 1 * * ? *)', '2026-11-01T06:10Z', { zone, count: 1 })).toEqual(['2026-11-02T06:30']);
  });

  test('a day of a rate has 24 hours', () => {
    expect(occurrences('rate(1 day)', '2026-03-07T12:00Z', { zone })).toEqual([
      '2026-03-07T12:00',
      '2026-03-08T12:00',
      '2026-03-09T12:00',
    ]);
  });

  test.each([
    ['at(2026-07-01T12:00:00)', '2026-07-01T16:00'],
    ['at(2026-12-01T12:00:00)', '2026-12-01T17:00'],
    ['at(2026-11-01T01:30:00)', '2026-11-01T05:30'],
    ['at(2026-03-08T02:30:00)', '2026-03-08T07:30'],
  ])('%s', (text, expected) => {
    expect(occurrences(text, '2026-01-01T00:00Z', { zone })).toEqual([expected]);
  });

  test.each([
    ['Asia/Kolkata', '2026-01-01T06:30'],
    ['Pacific/Chatham', '2026-01-01T22:15'],
    ['Etc/GMT+5', '2026-01-01T17:00'],
    ['UTC', '2026-01-01T12:00'],
  ])('noon in %s is at %s UTC', (other, expected) => {
    expect(occurrences('cron(0 12 * * ? *)', '2026-01-01T00:00Z', { zone: other, count: 1 })).toEqual([expected]);
  });
});

describe('a rate', () => {
  test.each([
    ['rate(1 minute)', '2026-01-01T00:01'],
    ['rate(2 minutes)', '2026-01-01T00:02'],
    ['rate(1 hour)', '2026-01-01T01:00'],
    ['rate(10 days)', '2026-01-11T00:00'],
  ])('%s', (text, second) => {
    expect(occurrences(text, '2026-01-01T00:00Z', { count: 2 })).toEqual(['2026-01-01T00:00', second]);
  });
});
