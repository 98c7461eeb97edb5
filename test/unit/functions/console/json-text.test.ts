import { expect, test } from 'vitest';
import { indentJson } from '../../../../functions/console/app/json/indent-json.ts';

test('data is indented as it was sent: order, large numbers and escapes stay', () => {
  const json = '{"z":12345678901234567890,"2":[],"1":{"a":"x,{}:\\"]","__proto__":null},"l":[1,{},[true]]}';
  expect(indentJson(json)).toBe(`{
  "z": 12345678901234567890,
  "2": [],
  "1": {
    "a": "x,{}:\\"]",
    "__proto__": null
  },
  "l": [
    1,
    {},
    [
      true
    ]
  ]
}`);
});

test.each(['"text"', '1.0e5', 'null', '[]', '{}'])('%s stays on its line', (json) => {
  expect(indentJson(json)).toBe(json);
});
