import { describe, expect, test } from 'vitest';
import { chosenFields, fieldNames } from '../../../../shared/lib/fields.ts';
import { depthOf, JsonText, toJson } from '../../../../shared/lib/json-text.ts';
import { freeSlug, slugOf } from '../../../../shared/domain/source/slug.ts';
import { urlProblem } from '../../../../shared/domain/url.ts';

test.each([
  ['Bar HTTP', 'bar-http'],
  ['  --New   Items!--  ', 'new-items'],
  ['Ünïcödé', 'u-ni-co-de'],
  ['ﬁle №5', 'file-no5'],
  ['日本語', 'source'],
  ['', 'source'],
  ['x'.repeat(70), 'x'.repeat(64)],
  [`${'x'.repeat(63)} y`, 'x'.repeat(63)],
])('the slug of %j is %j', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test('the smallest free number of a slug is taken, within its length', () => {
  expect(freeSlug('a', new Set())).toBe('a');
  expect(freeSlug('a', new Set(['a', 'a-1', 'a-3']))).toBe('a-2');
  const long = 'x'.repeat(64);
  expect(freeSlug(long, new Set([long]))).toBe(`${'x'.repeat(62)}-1`);
});

describe('include and exclude', () => {
  const object = { a: 1, b: 2, c: 3 };
  test.each([
    ['', '', ['a', 'b', 'c']],
    ['a, b', '', ['a', 'b']],
    ['a,b', 'b', ['a']],
    ['', 'a,x', ['b', 'c']],
    ['constructor,toString', '', []],
    [' , ', '', ['a', 'b', 'c']],
  ])('include %j, exclude %j leaves %j', (include, exclude, left) => {
    const chosen = chosenFields(object, { include: fieldNames(include), exclude: fieldNames(exclude) });
    expect(Object.keys(chosen)).toEqual(left);
  });
});

test('JSON text is spliced in as it is', () => {
  const value = {
    a: new JsonText('{"2":1,"1":1.0}'),
    b: [undefined, new JsonText('[]')],
    c: undefined,
    d: 'ä"',
  };
  expect(toJson(value)).toBe('{"a":{"2":1,"1":1.0},"b":[null,[]],"d":"ä\\""}');
});

test.each([
  ['1', 0],
  ['{}', 1],
  ['[[[]]]', 3],
  ['"[[[["', 0],
  ['["\\"[[[", {"a":[]}]', 3],
  ['["\\\\", [[]]]', 3],
  ['["\\\\\\"[[[", {}]', 2],
  ['["", "", [""]]', 2],
  ['[["unterminated [[[', 2],
  ['[["\\"', 2],
  ['['.repeat(1_000_000), 1_000_000],
])('the depth of %.20s is %d', (json, depth) => {
  expect(depthOf(json)).toBe(depth);
});

test('addresses are checked by their text', () => {
  expect(urlProblem('HTTP://example.org:80/x?y#z')).toBeUndefined();
  expect(urlProblem('http://example.org:')).toContain('port');
  expect(urlProblem('http://exam%70le.org')).toContain('percent');
  expect(urlProblem('http://example.org/%20?a=%20@b')).toBeUndefined();
  expect(urlProblem('http://[::1')).toBeDefined();
  expect(urlProblem('http://\u00a0example.org')).toContain('spaces');
});
