import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { thirdPartyNotices } from '../../../../bin/package/third-party-notices.ts';

const root = mkdtempSync(join(tmpdir(), 'tributary-notices-'));
let notices: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const aPackage = (folder: string, files: Record<string, string>, manifest: object = {}) => {
  const name = folder.replace(/^.*node_modules\//, '');
  const main = {
    name,
    version: '1.2.3',
    license: 'MIT',
    type: 'module',
    main: 'index.js',
    sideEffects: false,
  };
  write(`${folder}/package.json`, JSON.stringify({ ...main, ...manifest }));
  for (const [file, text] of Object.entries(files)) write(`${folder}/${file}`, text);
};

beforeAll(async () => {
  aPackage('node_modules/@scope/one', { 'index.js': 'export const one = 1;', 'LICENSE.md': 'Text A' });
  aPackage('node_modules/two', {
    'index.js': "import { three } from 'three'; export const two = [three];",
    LICENSE: 'Text A\n',
    NOTICE: 'Notice of two',
  });
  aPackage('node_modules/two/node_modules/three', {
    'index.js': 'export const three = 3;',
    'LICENSE.md': 'Text A',
  });
  aPackage('node_modules/four', {
    'index.js': 'export const four = 4;',
    'README.md': '# four\n\n## License\n\nText of four\n\n## More\n\nElse\n',
  });
  aPackage('node_modules/five', { 'index.js': 'export const five = 5;' }, { license: 'ISC', author: { name: 'Ann' } });
  aPackage('node_modules/unused', { 'index.js': 'export const six = 6;', LICENSE: 'Text of six' });
  write(
    'entry.js',
    [
      "import { one } from '@scope/one'; import { two } from 'two'; import { four } from 'four';",
      "import { five } from 'five'; import { six } from 'unused';",
      'console.log(one, two, four, five);',
    ].join('\n'),
  );
  const common = { absWorkingDir: root, bundle: true, outdir: 'out', format: 'esm' as const };
  notices = await thirdPartyNotices(root, [
    { ...common, entryPoints: ['entry.js'] },
    { ...common, entryPoints: ['node_modules/four/index.js'] },
  ]);
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

test('every package whose code is in an output is named once, and no other one', () => {
  expect(notices.match(/^\S+ 1\.2\.3 \(.*\)$/gm)?.sort()).toEqual([
    '@scope/one 1.2.3 (MIT)',
    'five 1.2.3 (ISC)',
    'four 1.2.3 (MIT)',
    'three 1.2.3 (MIT)',
    'two 1.2.3 (MIT)',
  ]);
});

test('packages with the same text share it', () => {
  expect(notices).toContain('@scope/one 1.2.3 (MIT)\nthree 1.2.3 (MIT)\n\nText A\n');
  expect(notices).toContain('two 1.2.3 (MIT)\n\nText A\n\nNotice of two\n');
});

test('without a licence file, the section of the README stands in its place, else author and licence', () => {
  expect(notices).toContain('four 1.2.3 (MIT)\n\nText of four\n');
  expect(notices).not.toContain('Else');
  expect(notices).toContain('five 1.2.3 (ISC)\n\nAuthor: Ann\nLicence: https://spdx.org/licenses/ISC.html\n');
});
