import { expect, test } from 'vitest';
import { IsoTime } from '../../../../shared/lib/iso-time.ts';

const isTime = (text: unknown) => IsoTime.safeParse(text).success;

test.each([
  '2031-03-01T12:00:00Z',
  '2031-03-01T12:00:00.123456+00:00',
  '2031-03-01T12:00:00,5-0330',
  '2031-03-01T12:00+01',
  '2031-03-01T12:00:00',
  '2032-02-29T23:59:60Z',
])('%s is a time as ISO 8601 writes it, and stays as it was sent', (text) => {
  expect(IsoTime.parse(text)).toBe(text);
});

test.each([
  'x',
  '',
  '2031',
  '2031-03-01',
  '2031-03-01 12:00:00Z',
  '2031-13-01T12:00:00Z',
  '2031-02-30T12:00:00Z',
  '2031-02-29T12:00:00Z',
  '2031-03-00T12:00:00Z',
  '2031-03-01T25:00:00Z',
  '2031-03-01T12:60:00Z',
  '2031-03-01T12:00:00Z\n',
  'Sat Mar 01 2031 12:00:00 GMT',
  '1930132800000',
  1_930_132_800_000,
])('%j is none', (text) => {
  expect(isTime(text)).toBe(false);
});
