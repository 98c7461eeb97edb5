import { describe, expect, test } from 'vitest';
import { eventChanges } from '../../../../functions/console/app/events/event-changes.ts';
import { firstScalars } from '../../../../functions/console/app/events/first-scalars.ts';
import { entriesOf, jsonKind } from '../../../../functions/console/app/json/json-node.ts';

describe('the first scalars of an event', () => {
  test.each([
    ['{"status":"paid","total":12.50,"isNew":true}', 'status: paid · total: 12.50 · isNew: true'],
    ['{"empty":"","none":null,"id":12345678901234567890}', 'id: 12345678901234567890'],
    ['{"order":{"id":7,"lines":[{"sku":"a"}]},"kind":"new"}', 'kind: new · order.id: 7 · order.lines.sku: a'],
    ['[1,"two"]', '1 · two'],
    ['{"a":{"b":{"c":{"d":{"e":1}}}}}', ''],
    ['{}', ''],
    ['"text"', ''],
    ['{"text":"two\\nlines","__proto__":"kept"}', 'text: two lines · __proto__: kept'],
  ])('%s', (json, line) => {
    expect(firstScalars(json)).toBe(line);
  });

  test('are at most six, and long texts are cut', () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`n${n}`, n]));
    expect(firstScalars(JSON.stringify(many))).toBe('n0: 0 · n1: 1 · n2: 2 · n3: 3 · n4: 4 · n5: 5');
    expect(firstScalars(JSON.stringify({ text: 'x'.repeat(100) }))).toBe(`text: ${'x'.repeat(60)}…`);
  });
});

describe('the changes between two events', () => {
  test('are the scalars that differ, with the texts that were sent', () => {
    const earlier = '{"id":12345678901234567890,"same":1,"status":"open","gone":{"deep":[true]}}';
    const later = '{"status":"paid","id":12345678901234567891,"same":1,"tags":["a"]}';
    expect(eventChanges(earlier, later)).toEqual([
      { path: 'status', before: '"open"', after: '"paid"' },
      { path: 'id', before: '12345678901234567890', after: '12345678901234567891' },
      { path: 'tags[0]', after: '"a"' },
      { path: 'gone.deep[0]', before: 'true' },
    ]);
  });

  test('do not depend on the order of members, and name odd members in brackets', () => {
    expect(eventChanges('{"a":1,"b":2}', '{"b":2,"a":1}')).toEqual([]);
    expect(eventChanges('{"a b":{"__proto__":1}}', '{"a b":{"__proto__":2}}')).toEqual([
      { path: '["a b"].__proto__', before: '1', after: '2' },
    ]);
  });

  test('include an object that became empty', () => {
    expect(eventChanges('{"a":{"b":1}}', '{"a":{ }}')).toEqual([
      { path: 'a', after: '{}' },
      { path: 'a.b', before: '1' },
    ]);
  });
});

test('a tree has the entries of each level as they were sent', () => {
  expect(entriesOf('{"z":1.0,"2":[],"z":"\\u00e9","__proto__":null}')).toEqual([
    { name: '"z"', json: '1.0' },
    { name: '"2"', json: '[]' },
    { name: '"z"', json: '"\\u00e9"' },
    { name: '"__proto__"', json: 'null' },
  ]);
  expect(entriesOf('[1,{"a":[2]}]')).toEqual([
    { name: undefined, json: '1' },
    { name: undefined, json: '{"a":[2]}' },
  ]);
  expect(['{}', '[]', '"a"', '-1', 'null'].map(jsonKind)).toEqual(['object', 'array', 'string', 'number', 'word']);
});
