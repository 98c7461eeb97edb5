import { expect, test } from 'vitest';
import { jsonCopy } from '../../../../../infra/embedded/lambda/json-copy.ts';

const shared = { text: 'x' };
const VALUES: readonly unknown[] = [
  null,
  undefined,
  'ä \u0000 \ud800 "\\"',
  0,
  -0,
  1e300,
  -1.7976931348623157e308,
  NaN,
  Infinity,
  true,
  () => 1,
  Symbol('s'),
  [],
  [undefined, () => 1, [null, ['a']]],
  { a: undefined, b: { c: [1, 'two', { d: false }] }, toString: 'own' },
  JSON.parse('{"__proto__":{"a":1},"constructor":2,"hasOwnProperty":null}'),
  { at: new Date(0), twice: [shared, shared], none: { toJSON: () => undefined } },
  { '\u0000"': '\u0001'.repeat(50) },
];

const written = (value: unknown): string | undefined => JSON.stringify(value);

test.each(VALUES.map((value) => [written(value), value]))(
  'a copy of %s is what its JSON reads as',
  (json, value) => {
    const { value: copy, mostBytes } = jsonCopy(value);
    expect(written(copy)).toBe(json);
    expect(copy).toStrictEqual(json === undefined ? undefined : JSON.parse(json));
    expect(mostBytes).toBeGreaterThanOrEqual(Buffer.byteLength(json ?? ''));
  },
);

test('a copy shares no object with its source', () => {
  const source = { list: [{ text: 'a' }], ['__proto__']: 'b' };
  const { value } = jsonCopy(source);
  Object.assign(Object(value).list[0], { text: 'changed' });
  expect(source.list).toEqual([{ text: 'a' }]);
});

test('a value that JSON refuses is refused', () => {
  expect(() => jsonCopy({ large: 1n })).toThrow(TypeError);
});
