import { expect, test } from 'vitest';
import { compilePattern } from '../../../../../../shared/domain/event/event-pattern/compile-pattern.ts';

/** Each wrong pattern, and the place that its refusal names. */
const WRONG: readonly (readonly [pattern: unknown, path: string])[] = [
  [[], 'filter'],
  ['text', 'filter'],
  [undefined, 'filter'],
  [7, 'filter'],
  [{}, 'filter'],
  [{ a: {} }, 'filter.a'],
  [{ a: [] }, 'filter.a'],
  [{ a: 'x' }, 'filter.a'],
  [{ a: 1 }, 'filter.a'],
  [{ a: null }, 'filter.a'],
  [{ a: { b: true } }, 'filter.a.b'],
  [{ 'a.b': 1 }, 'filter.a.b'],
  [{ a: [['x']] }, 'filter.a.0'],
  [{ a: ['x', {}] }, 'filter.a.1'],
  [{ a: [{ prefix: 'x', suffix: 'y' }] }, 'filter.a.0'],
  [{ a: [{ exists: true, prefix: 'y' }] }, 'filter.a.0'],
  [{ a: [{ unknown: 'x' }] }, 'filter.a.0'],
  [{ a: [{ constructor: 'x' }] }, 'filter.a.0'],
  [{ a: [JSON.parse('1e999')] }, 'filter.a.0'],
  [{ a: [{ prefix: 1 }] }, 'filter.a.0.prefix'],
  [{ a: [{ prefix: { suffix: 'x' } }] }, 'filter.a.0.prefix'],
  [{ a: [{ prefix: { 'equals-ignore-case': 1 } }] }, 'filter.a.0.prefix'],
  [{ a: [{ suffix: ['x'] }] }, 'filter.a.0.suffix'],
  [{ a: [{ 'equals-ignore-case': { prefix: 'x' } }] }, 'filter.a.0.equals-ignore-case'],
  [{ a: [{ wildcard: 7 }] }, 'filter.a.0.wildcard'],
  [{ a: [{ wildcard: 'a**b' }] }, 'filter.a.0.wildcard'],
  [{ a: [{ wildcard: 'a\\b' }] }, 'filter.a.0.wildcard'],
  [{ a: [{ wildcard: 'a\\' }] }, 'filter.a.0.wildcard'],
  [{ a: [{ exists: 'true' }] }, 'filter.a.0.exists'],
  [{ a: [{ exists: [true] }] }, 'filter.a.0.exists'],
  [{ a: [{ numeric: 5 }] }, 'filter.a.0.numeric'],
  [{ a: [{ numeric: [] }] }, 'filter.a.0.numeric'],
  [{ a: [{ numeric: ['>', 1, '<'] }] }, 'filter.a.0.numeric'],
  [{ a: [{ numeric: ['!=', 1] }] }, 'filter.a.0.numeric.0'],
  [{ a: [{ numeric: ['>', '1'] }] }, 'filter.a.0.numeric.1'],
  [{ a: [{ numeric: ['>', 1, '<', null] }] }, 'filter.a.0.numeric.3'],
  [{ a: [{ numeric: ['=', 1, '<', 2] }] }, 'filter.a.0.numeric'],
  [{ a: [{ numeric: ['<', 2, '>', 1] }] }, 'filter.a.0.numeric'],
  [{ a: [{ numeric: ['>', 2, '<', 1] }] }, 'filter.a.0.numeric'],
  [{ a: [{ numeric: ['>', 1, '<=', 1] }] }, 'filter.a.0.numeric'],
  [{ a: [{ cidr: '10.0.0.0' }] }, 'filter.a.0.cidr'],
  [{ a: [{ cidr: '10.0.0.0/33' }] }, 'filter.a.0.cidr'],
  [{ a: [{ cidr: '10.0.0/24' }] }, 'filter.a.0.cidr'],
  [{ a: [{ cidr: '2001:db8::/129' }] }, 'filter.a.0.cidr'],
  [{ a: [{ cidr: 10 }] }, 'filter.a.0.cidr'],
  [{ a: [{ 'anything-but': [] }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': ['a', 1] }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': null }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': true }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': {} }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': { numeric: ['=', 1] } }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': { prefix: 'a', suffix: 'b' } }] }, 'filter.a.0.anything-but'],
  [{ a: [{ 'anything-but': { prefix: '' } }] }, 'filter.a.0.anything-but.prefix'],
  [{ a: [{ 'anything-but': { prefix: [] } }] }, 'filter.a.0.anything-but.prefix'],
  [{ a: [{ 'anything-but': { wildcard: ['a', 'b**'] } }] }, 'filter.a.0.anything-but.wildcard.1'],
  [{ $or: {} }, 'filter.$or'],
  [{ $or: [] }, 'filter.$or'],
  [{ $or: ['x', 'y'] }, 'filter.$or.0'],
  [{ $or: [{ a: ['x'] }] }, 'filter.$or'],
  [{ $or: [{ a: ['x'] }, {}] }, 'filter.$or.1'],
  [{ b: { $or: [{ a: ['x'] }, { c: 1 }] } }, 'filter.b.$or.1.c'],
];

test.each(WRONG)('%j is refused at %s', (pattern, path) => {
  const compiled = compilePattern(pattern, 'filter');
  expect(compiled.ok ? [] : compiled.details.map((detail) => detail.path)).toContain(path);
});

test('every problem of a pattern is named', () => {
  const compiled = compilePattern({ a: [], b: 'x', c: [{ prefix: 7 }] }, 'filter');
  expect(compiled).toMatchObject({
    ok: false,
    details: [{ path: 'filter.a' }, { path: 'filter.b' }, { path: 'filter.c.0.prefix' }],
  });
});
