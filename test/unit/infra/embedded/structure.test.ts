import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = 'infra/embedded';
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join(root, path));
const source = (file: string) => readFileSync(file, 'utf8');
const imports = new Map(
  files.map((file) => [
    file,
    [...source(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g)].map(([, specifier = '']) =>
      normalize(join(dirname(file), specifier)),
    ),
  ]),
);

/** The files that a file imports, directly and indirectly. */
function reachable(file: string): Set<string> {
  const found = new Set<string>();
  const open = [...(imports.get(file) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(imports.get(next) ?? []));
  }
  return found;
}

test('no file imports itself, directly or through others', () => {
  expect(files.filter((file) => reachable(file).has(file))).toEqual([]);
});

test('private members are #private', () => {
  expect(files.filter((file) => /^\s*private /m.test(source(file)))).toEqual([]);
});
