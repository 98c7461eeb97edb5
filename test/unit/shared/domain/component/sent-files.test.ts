import { describe, expect, test } from 'vitest';
import { FilesInput, normalPath } from '../../../../../shared/domain/component/sent-files.ts';

test.each([
  ['a.mjs', 'a.mjs'],
  ['./lib//a.mjs', 'lib/a.mjs'],
  ['lib/../a.mjs', 'a.mjs'],
  ['../a.mjs', undefined],
  ['lib/../../a.mjs', undefined],
  ['/a.mjs', undefined],
  ['lib/', undefined],
  ['a\\b.mjs', undefined],
  ['.', undefined],
  ['', undefined],
  ['lib/..', undefined],
])('%j is the place %j', (path, normal) => {
  expect(normalPath(path)).toBe(normal);
});

describe('files of a request', () => {
  const problem = (files: unknown) => FilesInput.safeParse(files).error?.issues[0];

  test('are kept as pairs, whatever their names are', () => {
    expect(FilesInput.parse(JSON.parse('{"__proto__":"a","./b.mjs":"b"}'))).toEqual([
      ['__proto__', 'a'],
      ['./b.mjs', 'b'],
    ]);
  });

  test.each([
    ['no object', [], []],
    ['a path outside', { '../a.mjs': '' }, ['../a.mjs']],
    ['no text', { 'a.mjs': 7 }, ['a.mjs']],
    ['half a surrogate pair', { 'a.mjs': '\ud800' }, ['a.mjs']],
    ['one file twice', { 'a.mjs': '', './a.mjs': '' }, ['./a.mjs']],
    ['more than 50', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`${n}.mjs`, ''])), []],
  ])('%s is refused', (_, files, path) => {
    expect(problem(files)?.path).toEqual(path);
  });
});
