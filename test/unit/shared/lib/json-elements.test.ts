import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementTexts } from '../../../../shared/lib/json-elements.ts';

test('the elements of any array are those that a parser finds, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 1, '\t'), (values, space) => {
      const texts = elementTexts(JSON.stringify(values, null, space));
      expect(texts.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(values)));
    }),
    { seed: 1 },
  );
});

test('an element keeps its text: digits, spaces, order of members and names given twice', () => {
  const first = '{ "n": 1.0000000000000000001, "__proto__": {"a": [1, "],}"]}, "n": "\\"" }';
  expect(elementTexts(` [ ${first} ,{"b":2}\n] `)).toEqual([first, '{"b":2}']);
  expect(elementTexts(' [ ] ')).toEqual([]);
});
