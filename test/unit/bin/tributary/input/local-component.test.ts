import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readComponent } from '../../../../../bin/tributary/input/local-component.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-component-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (path: string, text: string): string => {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text);
  return file;
};
const dependencies = (ranges: object): string => JSON.stringify({ private: true, dependencies: ranges });

test('a file is sent with the version ranges that the nearest package.json has for the packages that it imports', async () => {
  const entry = write(
    'app/sources/a.mjs',
    `import fetch from 'node-fetch'; import '../lib.mjs'; import 'pinned@2/x'; import 'node:fs'; export default {};`,
  );
  write('app/lib.mjs', `import get from '@scope/lib/get'; import 'unknown';`);
  const near = write('app/sources/package.json', dependencies({ 'node-fetch': '^2.6.1', unused: '1' }));
  const far = write('package.json', dependencies({ 'node-fetch': '^3', '@scope/lib': '~1.2', pinned: '1' }));
  const { body, paths } = await readComponent(entry, 'a.mjs');
  expect(body.component_path).toBe('sources/a.mjs');
  expect(Object.keys(body.component_files ?? {})).toEqual(['lib.mjs', 'sources/package.json']);
  expect(JSON.parse(body.component_files?.['sources/package.json'] ?? '')).toEqual({
    dependencies: { '@scope/lib': '~1.2', 'node-fetch': '^2.6.1' },
  });
  expect(paths, 'dev watches them').toEqual(expect.arrayContaining([near, far]));
});

test.each([
  ['in one line', dependencies({ axios: '^1', other: '1' })],
  ['with an author first', JSON.stringify({ author: 'Ada', dependencies: { axios: '^1' } }, null, 2)],
])('a package.json that the component imports is sent as it is: %s', async (_, text) => {
  const entry = write('a.mjs', `import 'axios'; import about from './package.json'; export default {};`);
  write('package.json', text);
  expect((await readComponent(entry, 'a.mjs')).body.component_files).toEqual({ 'package.json': text });
});

test.each([
  ['no package.json', undefined],
  ['one without the packages', dependencies({ other: '1' })],
  ['one whose dependencies are none', '{"dependencies":[]}'],
])('%s is not sent', async (_, text) => {
  const entry = write('a.mjs', `import 'axios'; export default {};`);
  if (text !== undefined) write('package.json', text);
  expect((await readComponent(entry, 'a.mjs')).body).not.toHaveProperty('component_files');
});

test('a syntax error shows its line, with a caret at its character', async () => {
  const entry = write('a.mjs', `export default {\n  name: "é" + (1 2),\n};\n`);
  await expect(readComponent(entry, 'a.mjs')).rejects.toThrow(
    'a.mjs:2:18: Expected ")" but found "2"\n    name: "é" + (1 2),\n                   ^',
  );
});
