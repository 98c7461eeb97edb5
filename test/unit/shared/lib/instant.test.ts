import { expect, test } from 'vitest';
import { instantOf } from '../../../../shared/lib/instant.ts';

const AT = Date.UTC(2031, 2, 1, 12, 30, 5);

test.each([
  [String(AT), AT],
  ['0', 0],
  ['2031-03-01T12:30:05Z', AT],
  ['2031-03-01T12:30:05', AT],
  ['2031-03-01t12:30:05z', AT],
  ['2031-03-01T12:30:05.250Z', AT + 250],
  ['2031-03-01T12:30:05,25', AT + 250],
  ['2031-03-01T12:30', AT - 5_000],
  ['2031-03-01', Date.UTC(2031, 2, 1)],
  ['2031-03-01T14:30:05+02:00', AT],
  ['2031-03-01T14:30:05 02:00', AT],
  ['2031-03-01T14:30:05+0200', AT],
  ['2031-03-01T10:30:05-02', AT],
])('%s is a time', (text, at) => {
  expect(instantOf(text)).toBe(at);
});

test.each([
  '',
  'yesterday',
  '-5',
  '1.5',
  '2031-02-30',
  '2031-13-01',
  '2031-03-01T25:00',
  '2031-03-01 12:30',
  '9'.repeat(16),
])('%j is none', (text) => {
  expect(instantOf(text)).toBeUndefined();
});
