import { describe, expect, test } from 'vitest';
import { mergeDb } from '../../../../../shared/domain/run/db-merge.ts';

const LIMIT = 1_000;
const merge = (before: object, after: object, current: object, limit = LIMIT) =>
  mergeDb({ before: JSON.stringify(before), after: JSON.stringify(after), current: JSON.stringify(current) }, limit);
const merged = (...texts: Parameters<typeof merge>): unknown => JSON.parse(merge(...texts).json);

test.each<[string, object, object, object, object]>([
  ['nothing else was written', { a: 1 }, { a: 2, b: 3 }, { a: 1 }, { a: 2, b: 3 }],
  ['the run wrote nothing', { a: 1 }, { a: 1 }, { a: 5, c: 6 }, { a: 5, c: 6 }],
  ['both set keys of their own', { a: 1 }, { a: 1, b: 2 }, { a: 1, c: 3 }, { a: 1, b: 2, c: 3 }],
  ['both set the same key: the one that ends last', {}, { a: 'run' }, { a: 'other' }, { a: 'run' }],
  ['the run deleted a key', { a: 1, b: 2 }, { b: 2 }, { a: 1, b: 9 }, { b: 9 }],
  ['another deleted a key that the run left alone', { a: 1, b: 2 }, { a: 1, b: 3 }, { b: 2 }, { b: 3 }],
  [
    'a value changed inside',
    { a: { x: [1] } },
    { a: { x: [1, 2] } },
    { a: { x: [1] }, b: 1 },
    { a: { x: [1, 2] }, b: 1 },
  ],
])('%s', (_, before, after, current, expected) => {
  expect(merged(before, after, current)).toEqual(expected);
});

test('a key is a key, whatever its name', () => {
  const after = '{"__proto__":{"a":1},"constructor":2}';
  expect(mergeDb({ before: '{}', after, current: '{"b":3}' }, LIMIT)).toEqual({
    json: '{"b":3,"__proto__":{"a":1},"constructor":2}',
    leftOut: 0,
  });
});

/** Two runs that overlap may each keep the limit and exceed it together. */
describe('a db that would become too long', () => {
  const x = 'x'.repeat(10);

  test("keeps the writes of others; adds the run's writes that fit, in order, and counts the rest", () => {
    const { json, leftOut } = merge({}, { a: x, b: 1, c: x }, { n: x }, '{"n":"xxxxxxxxxx","b":1}'.length);
    expect([json, leftOut]).toEqual(['{"n":"xxxxxxxxxx","b":1}', 2]);
  });

  test('is filled to the last byte, whatever the characters', () => {
    const expected = '{"n":"äöü","a":"€"}';
    const bytes = Buffer.byteLength(expected);
    expect(merge({}, { a: '€' }, { n: 'äöü' }, bytes)).toEqual({ json: expected, leftOut: 0 });
    expect(merge({}, { a: '€' }, { n: 'äöü' }, bytes - 1)).toEqual({ json: '{"n":"äöü"}', leftOut: 1 });
  });

  test('has room for what the run deleted', () => {
    expect(merged({ a: x }, { b: x }, { a: x, n: 1 }, '{"n":1,"b":"xxxxxxxxxx"}'.length)).toEqual({
      n: 1,
      b: x,
    });
  });

  test('keeps the value of others for a key whose new value does not fit', () => {
    const { json, leftOut } = merge({}, { n: x }, { n: 'y' }, 10);
    expect([json, leftOut]).toEqual(['{"n":"y"}', 1]);
  });

  test('takes a shorter value, though it was too long before', () => {
    expect(merged({}, { n: 'y' }, { n: x, m: x }, 10)).toEqual({ n: 'y', m: x });
  });
});
