import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Workbench, workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench();
});
afterAll(() => bench.close());

const ENTRY = `import { name } from './lib/names.mjs'; export default { name, run() {} };`;
const FILES: [string, string][] = [
  [
    'lib/names.mjs',
    `import data from './data.json'; import { one } from '../one'; export const name = data.name + one;`,
  ],
  ['lib/data.json', '{"name":"n"}'],
  ['one.ts', 'export const one: number = 1;'],
  ['unused.mjs', 'not even code ('],
];

describe('files sent with code', () => {
  test('are found by relative imports, by name and by the usual endings', async () => {
    expect(await bench.value({ code: ENTRY, files: FILES }, 'component.name')).toBe('n1');
  });

  test('are resolved from the path of the entry', async () => {
    const code = `import { one } from '../one.ts'; export default { name: 'e' + one };`;
    expect(await bench.value({ code, path: 'src/deep.mjs', files: FILES }, 'component.name')).toBe('e1');
  });

  test('an entry that ends in .ts is TypeScript, and one that ends in .mjs is not', async () => {
    const code = `const name: string = 'typed'; export default { name };`;
    expect(await bench.value({ code, path: 'a.ts' }, 'component.name')).toBe('typed');
    expect(await bench.failure({ code, path: 'a.mjs' })).toMatch(/^a\.mjs:1:/);
  });

  test.each([
    ['./missing.mjs', 'component_files has no missing.mjs'],
    ['../outside.mjs', 'component_files has no files outside of the folder of the component'],
    ['../../../../etc/passwd', 'component_files has no files outside of the folder of the component'],
  ])('nothing else is found: %s', async (specifier, message) => {
    const code = `import x from '${specifier}'; export default { name: x };`;
    expect(await bench.failure({ code, files: FILES })).toContain(`"${specifier}" was not found: ${message}`);
  });

  test('build errors and stacks name them', async () => {
    const broken: [string, string][] = [['lib/broken.mjs', 'export const x = ;']];
    const code = `import { x } from './lib/broken.mjs'; export default { name: x };`;
    expect(await bench.failure({ code, files: broken })).toMatch(/^lib\/broken\.mjs:1:\d+/);
  });

  test('belong to the content; files that are not imported do not', async () => {
    const hash = async (more: object) => (await bench.built({ code: ENTRY, files: FILES, ...more })).contentHash;
    const first = await hash({});
    expect(await hash({ files: FILES.slice(0, 3) })).toBe(first);
    expect(await hash({ files: [...FILES.slice(0, 2), ['one.ts', 'export const one = 2;']] })).not.toBe(first);
    expect(await hash({ path: 'other.mjs' })).not.toBe(first);
  });
});
