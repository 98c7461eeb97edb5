import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonProblem } from '../../../../shared/lib/json-problem.ts';

describe('a text that is no JSON gets the problem, the mend and the place', () => {
  test.each([
    ['{"a": 1,}', 'remove the comma before } (line 1, column 9)'],
    ['[1, 2,]', 'remove the comma before ] (line 1, column 7)'],
    ["{'a': 1}", 'the name of a member must be in double quotes (line 1, column 2)'],
    ['{a: 1}', 'the name of a member must be in double quotes (line 1, column 2)'],
    ['{"a": \'x\'}', 'a string must be in double quotes, not in single ones (line 1, column 7)'],
    ['{"a" 1}', 'a colon is missing after the name (line 1, column 6)'],
    ['{\n  "a": 1\n  "b": 2\n}', 'a comma or } is missing (line 3, column 3)'],
    ['[1 2]', 'a comma or ] is missing (line 1, column 4)'],
    ['{"a": 1', 'the text ends too early: add } (line 1, column 8)'],
    ['{"a": [1', 'the text ends too early: add ] (line 1, column 9)'],
    ['{"a": "x}', 'the double quote at the end of this string is missing (line 1, column 7)'],
    ['{"a": 1} x', 'text follows the JSON value: remove it (line 1, column 10)'],
    ['{"a": 1} // no', 'JSON has no comments: remove it (line 1, column 10)'],
    ['"a\nb"', 'a line break or tab in a string must be written as \\n or \\t (line 1, column 3)'],
    ['"C:\\dir"', 'a backslash in a string must be written as \\\\ (line 1, column 4)'],
    ['\ufeff{}', 'remove the byte order mark (line 1, column 1)'],
    [' ', 'the text is empty (line 1, column 2)'],
    ...['undefined', 'NaN', 'True', '01', '.5', '1.', '-', 'a=1', 'nul', 'truey'].map((text) => [
      text,
      'a value must be a string in double quotes, a number, true, false, null, an array or an object (line 1, column 1)',
    ]),
  ])('%j', (text, problem) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(jsonProblem(text)).toBe(problem);
  });

  test('valid JSON in any layout has none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, space) => {
        expect(jsonProblem(JSON.stringify(value, null, space))).toMatch(/^the text cannot be read/);
      }),
      { seed: 1 },
    );
  });

  test('a valid text with a character changed has a problem wherever JSON.parse refuses it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.constantFrom(...'{}[],:"\\x1 \n'), (value, location, character) => {
        const text = JSON.stringify(value);
        const at = location % text.length;
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        let isJson = true;
        try {
          JSON.parse(changed);
        } catch {
          isJson = false;
        }
        expect(/^the text cannot be read/.test(jsonProblem(changed))).toBe(isJson);
      }),
      { seed: 1 },
    );
  });
});
