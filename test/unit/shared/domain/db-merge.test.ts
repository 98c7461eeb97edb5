import { expect, test } from 'vitest';
import { mergeDb } from '../../../../shared/domain/db-merge.ts';

const merged = (given: object, left: object, now: object): unknown =>
  JSON.parse(mergeDb({ given: JSON.stringify(given), left: JSON.stringify(left), now: JSON.stringify(now) }));

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
])('%s', (_, given, left, now, expected) => {
  expect(merged(given, left, now)).toEqual(expected);
});

test('a key is a key, whatever its name', () => {
  const left = '{"__proto__":{"a":1},"constructor":2}';
  expect(mergeDb({ given: '{}', left, now: '{"b":3}' })).toBe('{"b":3,"__proto__":{"a":1},"constructor":2}');
});
