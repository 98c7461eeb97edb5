import { expect, test, vi } from 'vitest';
import { closeBound, hasAtMost, jsonCopy } from '../../../../../infra/embedded/lambda/json-copy.ts';

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

test.each(VALUES.map((value) => [written(value), value]))('a copy of %s is what its JSON reads as', (json, value) => {
  const { value: copy, mostBytes } = jsonCopy(value);
  expect(written(copy)).toBe(json);
  expect(copy).toStrictEqual(json === undefined ? undefined : JSON.parse(json));
  expect(mostBytes).toBeGreaterThanOrEqual(Buffer.byteLength(json ?? ''));
});

test('a copy shares no object with its source', () => {
  const source = { list: [{ text: 'a' }], ['__proto__']: 'b' };
  const { value } = jsonCopy(source);
  Object.assign(Object(value).list[0], { text: 'changed' });
  expect(source.list).toEqual([{ text: 'a' }]);
});

test('a value that JSON refuses is refused', () => {
  expect(() => jsonCopy({ large: 1n })).toThrow(TypeError);
});

test('the close bound of a text is at least the bytes of its JSON', () => {
  const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit));
  const tooSmall = [...units, '😀', '\udfff\ud800'].filter(
    (text) => closeBound(text.repeat(9)) < Buffer.byteLength(JSON.stringify(text.repeat(9))),
  );
  expect(tooSmall).toEqual([]);
});

test('a value has at most its bytes, and only as many texts are read as needed', () => {
  const [usual, control] = ['x'.repeat(10_000), '\u0000'.repeat(10_000)];
  const all = jsonCopy({ all: [usual, usual, control] });
  const bytes = Buffer.byteLength(JSON.stringify(all.value));
  expect(hasAtMost(all, bytes)).toBe(false);
  expect(hasAtMost(all, 2 * 10_000 * 2 + 6 * 10_000 + 100)).toBe(true);
  expect(hasAtMost(jsonCopy([control]), 6 * 10_000)).toBe(false);
  expect(hasAtMost(jsonCopy([usual, 'x'.repeat(20_000)]), 6 * 10_000)).toBe(false);

  const test = vi.spyOn(RegExp.prototype, 'test');
  expect(hasAtMost(jsonCopy([usual, usual]), 6 * 10_000 + 2 * 10_000 + 100)).toBe(true);
  expect(test).toHaveBeenCalledTimes(1);
  test.mockRestore();
});

test('the close bound of a usual text is at most twice its bytes', () => {
  const text = JSON.stringify({ title: 'ä "quoted" \\ text\t😀\n', n: [1, 2] });
  expect(closeBound(text)).toBeLessThanOrEqual(2 * Buffer.byteLength(text) + 2);
});
