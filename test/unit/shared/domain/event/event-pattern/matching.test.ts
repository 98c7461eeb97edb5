import { describe, expect, test } from 'vitest';
import { stepsOf } from '../../../../../../shared/domain/event/event-pattern/condition.ts';
import { finishNow } from '../../../../../../shared/lib/reading/work-steps.ts';
import { compilePattern } from '../../../../../../shared/domain/event/event-pattern/compile-pattern.ts';

/** Whether an event passes. Event and pattern are parsed from JSON, as in the service. */
function passes(pattern: unknown, event: unknown): boolean {
  const compiled = compilePattern(JSON.parse(JSON.stringify(pattern)), 'filter');
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.details));
  return finishNow(stepsOf(compiled.matches(JSON.parse(JSON.stringify(event)))));
}

/**
 * Facts of https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html: each operator of
 * its table.
 */
const DOCUMENTED: readonly (readonly [operator: string, pattern: object, passing: object[], others: object[]])[] = [
  [
    'and: all fields must match',
    { Location: ['New York'], Day: ['Monday'] },
    [{ Location: 'New York', Day: 'Monday', more: 1 }],
    [{ Location: 'New York' }, { Location: 'New York', Day: 'Friday' }],
  ],
  [
    'anything-but a string',
    { state: [{ 'anything-but': 'initializing' }] },
    [{ state: 'running' }, { state: 1 }, { state: null }, { state: false }],
    [{ state: 'initializing' }, { other: 'running' }],
  ],
  ['anything-but a number', { limit: [{ 'anything-but': 123 }] }, [{ limit: 124 }, { limit: '123' }], [{ limit: 123 }]],
  [
    'anything-but a list of strings',
    { state: [{ 'anything-but': ['stopped', 'overloaded'] }] },
    [{ state: 'running' }],
    [{ state: 'stopped' }, { state: 'overloaded' }],
  ],
  [
    'anything-but a list of numbers',
    { limit: [{ 'anything-but': [100, 200, 300] }] },
    [{ limit: 150 }],
    [{ limit: 200 }, { limit: 3e2 }],
  ],
  [
    'anything-but a prefix',
    { Region: [{ 'anything-but': { prefix: 'us-' } }] },
    [{ Region: 'eu-west-1' }, { Region: 7 }],
    [{ Region: 'us-east-1' }],
  ],
  [
    'anything-but a list of prefixes',
    { state: [{ 'anything-but': { prefix: ['init', 'error'] } }] },
    [{ state: 'running' }],
    [{ state: 'initial' }, { state: 'error 7' }],
  ],
  [
    'anything-but a suffix',
    { FileName: [{ 'anything-but': { suffix: '.png' } }] },
    [{ FileName: 'a.jpg' }],
    [{ FileName: 'a.png' }],
  ],
  [
    'anything-but, ignoring case',
    { state: [{ 'anything-but': { 'equals-ignore-case': ['initializing', 'stopped'] } }] },
    [{ state: 'running' }],
    [{ state: 'INITIALIZING' }, { state: 'Stopped' }],
  ],
  [
    'anything-but a wildcard',
    { FilePath: [{ 'anything-but': { wildcard: '*/lib/*' } }] },
    [{ FilePath: '/usr/bin/a' }, { FilePath: '/lib' }],
    [{ FilePath: '/usr/lib/a' }, { FilePath: '/lib/' }],
  ],
  ['prefix', { Region: [{ prefix: 'us-' }] }, [{ Region: 'us-east-1' }], [{ Region: 'eu-us-1' }, { Region: 5 }]],
  [
    'prefix, ignoring case',
    { service: [{ prefix: { 'equals-ignore-case': 'eventb' } }] },
    [{ service: 'EventBridge' }, { service: 'EVENTB' }],
    [{ service: 'event' }, { service: 'my eventb' }],
  ],
  ['empty text', { LastName: [''] }, [{ LastName: '' }], [{ LastName: null }, {}, { LastName: ' ' }]],
  ['equals', { Name: ['Alice'] }, [{ Name: 'Alice' }], [{ Name: 'alice' }]],
  [
    'equals, ignoring case',
    { Name: [{ 'equals-ignore-case': 'alice' }] },
    [{ Name: 'ALICE' }, { Name: 'alice' }],
    [{ Name: 'alices' }, { Name: 'bob' }],
  ],
  ['suffix', { FileName: [{ suffix: '.png' }] }, [{ FileName: 'a.png' }], [{ FileName: 'a.png.gz' }]],
  [
    'suffix, ignoring case',
    { service: [{ suffix: { 'equals-ignore-case': 'tbridge' } }] },
    [{ service: 'EventBridge' }, { service: 'TBRIDGE' }],
    [{ service: 'bridge' }],
  ],
  ['exists', { ProductName: [{ exists: true }] }, [{ ProductName: 'x' }, { ProductName: null }], [{ other: 1 }]],
  ['does not exist', { ProductName: [{ exists: false }] }, [{ other: 1 }], [{ ProductName: null }]],
  ['not', { Weather: [{ 'anything-but': ['Raining'] }] }, [{ Weather: 'Sunny' }], [{ Weather: 'Raining' }]],
  ['null', { UserID: [null] }, [{ UserID: null }], [{}, { UserID: '' }, { UserID: 'null' }, { UserID: 0 }]],
  ['numeric equality', { Price: [{ numeric: ['=', 100] }] }, [{ Price: 100 }, { Price: 1e2 }], [{ Price: '100' }]],
  [
    'numeric range',
    { Price: [{ numeric: ['>', 10, '<=', 20] }] },
    [{ Price: 10.01 }, { Price: 20 }],
    [{ Price: 10 }, { Price: 20.01 }, { Price: '15' }],
  ],
  ['numeric at most', { c: [{ numeric: ['<=', 5] }] }, [{ c: 5 }, { c: -7 }], [{ c: 5.1 }]],
  ['numeric below', { c: [{ numeric: ['<', 10] }] }, [{ c: 9 }], [{ c: 10 }]],
  ['numeric at least', { c: [{ numeric: ['>=', 3.018e2] }] }, [{ c: 301.8 }], [{ c: 301 }]],
  [
    'or, several fields',
    { $or: [{ Location: ['New York'] }, { Day: ['Monday'] }] },
    [{ Location: 'New York' }, { Day: 'Monday' }],
    [{ Location: 'Rome', Day: 'Friday' }, {}],
  ],
  [
    'or, beside a field and below one',
    {
      source: ['s'],
      detail: { $or: [{ c: [{ numeric: ['>', 0, '<=', 5] }] }, { d: [{ numeric: ['<', 10] }] }] },
    },
    [
      { source: 's', detail: { c: 5 } },
      { source: 's', detail: { c: 50, d: 1 } },
    ],
    [
      { source: 't', detail: { c: 5 } },
      { source: 's', detail: { c: 50, d: 10 } },
    ],
  ],
  [
    'or, several values of one field',
    { Weather: ['Raining', 'Snowing'] },
    [{ Weather: 'Snowing' }],
    [{ Weather: 'Sunny' }],
  ],
  [
    'IPv4 block',
    { ip: [{ cidr: '10.0.0.0/24' }] },
    [{ ip: '10.0.0.0' }, { ip: '10.0.0.255' }],
    [{ ip: '10.0.1.0' }, { ip: '10.0.0' }, { ip: '167772161' }, { ip: 167772161 }, { ip: 'ten' }],
  ],
  [
    'IPv6 block',
    { ip: [{ cidr: '2001:db8::/32' }] },
    [{ ip: '2001:db8::1' }, { ip: '2001:0DB8:ffff:0:0:0:0:0' }],
    [{ ip: '2001:db9::1' }, { ip: '10.0.0.1' }],
  ],
  [
    'wildcard',
    { EventBusArn: [{ wildcard: 'arn:aws:events:us-east-1:*:event-bus/*' }] },
    [
      { EventBusArn: 'arn:aws:events:us-east-1:1:event-bus/a' },
      { EventBusArn: 'arn:aws:events:us-east-1::event-bus/' },
    ],
    [{ EventBusArn: 'arn:aws:events:us-east-2:1:event-bus/a' }, { EventBusArn: 7 }],
  ],
];

describe.each(DOCUMENTED)('documented: %s', (_, pattern, passing, others) => {
  test.each(passing)('%j passes', (event) => {
    expect(passes(pattern, event)).toBe(true);
  });
  test.each(others)('%j does not', (event) => {
    expect(passes(pattern, event)).toBe(false);
  });
});

describe('values', () => {
  test('numbers compare as numbers, never with strings', () => {
    expect(passes({ n: [300] }, { n: 3.0e2 })).toBe(true);
    expect(passes({ n: [300] }, { n: '300' })).toBe(false);
    expect(passes({ n: ['300'] }, { n: 300 })).toBe(false);
    expect(passes({ n: [{ numeric: ['>', 1_700_000_000_000] }] }, { n: 1_800_000_000_000 })).toBe(true);
    expect(passes({ n: [0] }, { n: -0 })).toBe(true);
  });

  test('true, false and null equal only themselves', () => {
    expect(passes({ v: [true] }, { v: true })).toBe(true);
    expect(passes({ v: [true] }, { v: 'true' })).toBe(false);
    expect(passes({ v: [false] }, { v: 0 })).toBe(false);
    expect(passes({ v: [null] }, { v: {} })).toBe(false);
    expect(passes({ v: [null] }, { v: [] })).toBe(false);
  });

  test('alternatives of one field may mix values and operators', () => {
    const pattern = { v: ['a', 7, null, { prefix: 'b' }, { exists: false }] };
    for (const event of [{ v: 'a' }, { v: 7 }, { v: null }, { v: 'bc' }, {}]) expect(passes(pattern, event)).toBe(true);
    expect(passes(pattern, { v: 'c' })).toBe(false);
  });
});

describe('addresses', () => {
  test('an IPv4 address mapped into IPv6 counts as IPv4, in events and in blocks', () => {
    expect(passes({ ip: [{ cidr: '10.0.0.0/8' }] }, { ip: '::ffff:10.1.2.3' })).toBe(true);
    expect(passes({ ip: [{ cidr: '::ffff:10.0.0.0/104' }] }, { ip: '10.1.2.3' })).toBe(true);
    expect(passes({ ip: [{ cidr: '::ffff:10.0.0.0/104' }] }, { ip: '11.1.2.3' })).toBe(false);
    expect(passes({ ip: [{ cidr: '::/0' }] }, { ip: '10.1.2.3' })).toBe(false);
  });

  test('the same text is an address for one filter and no match for another', () => {
    const event = { ip: '10.1.2.3' };
    expect(passes({ ip: [{ cidr: '10.0.0.0/8' }] }, event)).toBe(true);
    expect(passes({ ip: [{ cidr: '11.0.0.0/8' }] }, event)).toBe(false);
    expect(passes({ ip: [{ cidr: '10.0.0.0/8' }] }, { ip: '10.1.2.3 ' })).toBe(false);
  });
});

describe('fields', () => {
  test('a dotted key is one key', () => {
    expect(passes({ 'a.b': [1] }, { 'a.b': 1 })).toBe(true);
    expect(passes({ 'a.b': [1] }, { a: { b: 1 } })).toBe(false);
    expect(passes({ a: { b: [1] } }, { 'a.b': 1 })).toBe(false);
  });

  test('only own members of an event are fields', () => {
    expect(passes({ constructor: [{ exists: true }] }, {})).toBe(false);
    expect(passes({ toString: { name: [{ exists: true }] } }, {})).toBe(false);
    const compiled = compilePattern(JSON.parse('{"__proto__":["x"]}'), 'filter');
    expect(compiled.ok && finishNow(stepsOf(compiled.matches(JSON.parse('{"__proto__":"x"}'))))).toBe(true);
    expect(compiled.ok && finishNow(stepsOf(compiled.matches({})))).toBe(false);
  });

  test('exists looks at any value: objects, arrays, empty ones and null', () => {
    for (const value of [{}, { b: 1 }, [], [1], null, 0, '', false]) {
      expect(passes({ a: [{ exists: true }] }, { a: value })).toBe(true);
      expect(passes({ a: [{ exists: false }] }, { a: value })).toBe(false);
    }
  });

  test('below a missing field, a scalar or an empty array nothing exists', () => {
    for (const event of [{}, { a: 1 }, { a: null }, { a: [] }, { a: [1, 'b'] }]) {
      expect(passes({ a: { b: [{ exists: false }] } }, event)).toBe(true);
      expect(passes({ a: { b: [{ exists: true }] } }, event)).toBe(false);
      expect(passes({ a: { b: [{ 'anything-but': 'x' }] } }, event)).toBe(false);
    }
  });

  test('an object is no value: neither equal nor anything but', () => {
    expect(passes({ a: [{ 'anything-but': 'x' }] }, { a: { b: 1 } })).toBe(false);
    expect(passes({ a: [{ 'anything-but': 'x' }] }, { a: [] })).toBe(false);
  });
});

describe('arrays in events', () => {
  test('match when any element does, at any depth of arrays', () => {
    expect(passes({ tags: ['b'] }, { tags: ['a', 'b'] })).toBe(true);
    expect(passes({ tags: ['b'] }, { tags: ['a', ['c', ['b']]] })).toBe(true);
    expect(passes({ tags: ['b'] }, { tags: ['a'] })).toBe(false);
    expect(passes({ n: [{ numeric: ['>', 5] }] }, { n: [1, 9] })).toBe(true);
  });

  test('anything-but needs one element that differs', () => {
    expect(passes({ tags: [{ 'anything-but': 'a' }] }, { tags: ['a', 'b'] })).toBe(true);
    expect(passes({ tags: [{ 'anything-but': 'a' }] }, { tags: ['a', 'a'] })).toBe(false);
  });

  test('conditions below an array of objects hold within one element', () => {
    const pattern = { items: { kind: ['fruit'], price: [{ numeric: ['<', 5] }] } };
    expect(
      passes(pattern, {
        items: [
          { kind: 'fruit', price: 9 },
          { kind: 'nut', price: 1 },
        ],
      }),
    ).toBe(false);
    expect(
      passes(pattern, {
        items: [
          { kind: 'nut', price: 1 },
          { kind: 'fruit', price: 1 },
        ],
      }),
    ).toBe(true);
    expect(
      passes({ items: { kind: ['a'], sub: { x: [1] } } }, { items: [{ kind: 'a', sub: [{ x: 2 }, { x: 1 }] }] }),
    ).toBe(true);
    const either = { items: { kind: ['fruit'], $or: [{ price: [1] }, { free: [true] }] } };
    expect(passes(either, { items: [{ kind: 'fruit' }, { kind: 'nut', free: true }] })).toBe(false);
    expect(passes(either, { items: [{ kind: 'fruit', free: true }] })).toBe(true);
  });

  test('a missing member of one element is missing there', () => {
    expect(passes({ items: { b: [{ exists: false }] } }, { items: [{ b: 1 }, { c: 1 }] })).toBe(true);
    expect(passes({ items: { b: [{ exists: false }] } }, { items: [{ b: 1 }, 7] })).toBe(false);
  });

  test('arrays that nest deeper than the stack are searched', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(200_000)}7${']'.repeat(200_000)}}`) as unknown;
    const compiled = compilePattern({ a: [7] }, 'filter');
    expect(compiled.ok && finishNow(stepsOf(compiled.matches(deep)))).toBe(true);
  });
});
