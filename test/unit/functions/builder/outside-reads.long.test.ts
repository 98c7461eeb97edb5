import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PackageVersion, npmRegistry } from '../../../support/builder/registry.ts';
import { type Workbench, workbench } from './workbench.ts';

/** A directory that no build may read, with files that the compiler would read, quote or bundle. */
const outside = mkdtempSync(join(tmpdir(), 'outside-'));
const CANARY = 'CANARY_OF_THIS_MACHINE';
const canary = join(outside, 'canary');
writeFileSync(canary, `${CANARY}=1`);
writeFileSync(join(outside, 'canary.js'), `module.exports = '${CANARY}'`);
writeFileSync(join(outside, 'canary.json'), `{"value":"${CANARY}"}`);
writeFileSync(join(outside, 'listed.js'), `module.exports = '${CANARY}'`);
writeFileSync(join(outside, 'package.json'), `{"main":${CANARY}}`);
writeFileSync(join(outside, 'tsconfig.json'), `{"compilerOptions":${CANARY}}`);

const CLIMB = '../'.repeat(24);
const url = `file://${canary}`;
const main = (file: string) => ({ manifest: { main: file } });
const one = (version: Omit<PackageVersion, 'version'>) => [{ version: '1.0.0', ...version }];

/** Comments that make the compiler read a source map, and text that only looks like one. */
const comments: [name: string, code: (value: string) => string][] = [
  ['//#', (value) => `${value}\n//# sourceMappingURL=${url}`],
  ['//# on a line of its own, then more code', (value) => `//# sourceMappingURL=${url}\n${value}\n`],
  ['//@', (value) => `${value}\n//@ sourceMappingURL=${url}\n`],
  ['/*# */', (value) => `${value}\n/*# sourceMappingURL=${url} */`],
  ['/*@ */ before the code', (value) => `/*@ sourceMappingURL=${url} */ ${value}`],
  ['a comment that ends at U+2028', (value) => `${value}\n//# sourceMappingURL=${url}\u2028//`],
  ['a comment on the line of the code', (value) => `${value} //# sourceMappingURL=${url}`],
  ['a relative path', (value) => `${value}\n//# sourceMappingURL=${CLIMB}${canary.slice(1)}`],
  ['two comments', (value) => `//# sourceMappingURL=x.map\n${value}\n//# sourceMappingURL=${url}`],
  ['a hashbang', (value) => `#!# sourceMappingURL=${url}\n${value}\n//# sourceMappingURL=${url}`],
];

let bench: Workbench;
let registry: Awaited<ReturnType<typeof npmRegistry>>;
beforeAll(async () => {
  const commented = comments.map(([, code], n): [string, PackageVersion[]] => [
    `commented-${n}`,
    one({ files: { 'index.js': code(`module.exports = 'value'`) } }),
  ]);
  const script = `//# sourceMappingURL=${url}`;
  registry = await npmRegistry({
    ...Object.fromEntries(commented),
    'in-jsx': one({ files: { 'index.js': `module.exports = require('./x.jsx')`, 'x.jsx': `module.exports = 'value'\n${script}` } }),
    'in-tsx': one({ files: { 'index.js': `module.exports = require('./x.tsx')`, 'x.tsx': `module.exports = 'value' as string\n${script}` } }),
    'in-ts': one({ files: { 'index.ts': `export default 'value' as string\n${script}` }, ...main('index.ts') }),
    'without-ending': one({ files: { 'index.js': `module.exports = require('./bin/x')`, 'bin/x': `module.exports = 'value'\n${script}` } }),
    'in-css': one({ files: { 'index.js': `require('./x.css'); module.exports = 'value'`, 'x.css': `a { color: red }\n/*# sourceMappingURL=${url} */` } }),
    'in-open-css': one({ files: { 'index.js': `require('./x.css'); module.exports = 'value'`, 'x.css': `/*# sourceMappingURL=${url} ` } }),
    'in-module-css': one({ files: { 'index.js': `require('./x.module.css'); module.exports = 'value'`, 'x.module.css': `a {}\n/*# sourceMappingURL=${url} */` } }),
    'imported-css': one({ files: { 'index.js': `require('./x.css'); module.exports = 'value'`, 'x.css': `@import "${canary}"; a { background: url(${canary}) }` } }),
    'with-place': one({ files: { 'index.js': `module.exports = __dirname && 'value'\n${script}` } }),
    'in-data-url': one({ files: { 'index.mjs': `import x from "data:text/javascript,export default 'value'%0A${encodeURIComponent(script)}"; export default x` }, ...main('index.mjs') }),
    'in-base64': one({ files: { 'index.mjs': `import x from "data:text/javascript;base64,${btoa(`export default 'value'\n${script}`)}"; export default x` }, ...main('index.mjs') }),
    'json-in-data-url': one({ files: { 'index.mjs': `import x from 'data:application/json,{"a":"value"}'; export default x.a` }, ...main('index.mjs') }),
    'in-json': one({ files: { 'index.js': `module.exports = require('./x.json').a`, 'x.json': '{"a":"value","b":"//# sourceMappingURL=x"}' } }),
    'in-text': one({ files: { 'index.js': `module.exports = require('./x.txt').slice(-5)`, 'x.txt': `${script}\nvalue` } }),

    'abs-require': one({ files: { 'index.js': `module.exports = require('${canary}.js')` } }),
    'abs-json': one({ files: { 'index.js': `module.exports = require('${canary}.json')` } }),
    'abs-folder': one({ files: { 'index.js': `module.exports = require('${outside}')` } }),
    'file-url': one({ files: { 'index.mjs': `import x from '${url}.js'; export default x` }, ...main('index.mjs') }),
    climbing: one({ files: { 'index.js': `module.exports = require('${CLIMB}${canary.slice(1)}.js')` } }),
    'climbing-main': one({ files: {}, ...main(`${CLIMB}${canary.slice(1)}.js`) }),
    'climbing-module': one({ files: {}, manifest: { main: null, module: `${CLIMB}${canary.slice(1)}.js` } }),
    'climbing-folder': one({ files: {}, ...main(`${CLIMB}${outside.slice(1)}`) }),
    'climbing-exports': one({ files: {}, manifest: { exports: { '.': `./${CLIMB}${canary.slice(1)}.js` } } }),
    'climbing-pattern': one({ files: { 'index.js': `module.exports = require('climbing-pattern/x/${CLIMB}${canary.slice(1)}')` }, manifest: { exports: { '.': './index.js', './x/*': './x/*.js' } } }),
    'climbing-imports': one({ files: { 'index.mjs': `import x from '#x'; export default x` }, manifest: { main: 'index.mjs', imports: { '#x': `./${CLIMB}${canary.slice(1)}.js` } } }),
    'climbing-browser': one({ files: { 'index.js': `module.exports = require('./a.js')`, 'a.js': `module.exports = 'inside'` }, manifest: { browser: { './a.js': `${CLIMB}${canary.slice(1)}.js` } } }),
    'extending-tsconfig': one({ files: { 'index.ts': `import x from 'x'; export default x`, 'tsconfig.json': JSON.stringify({ extends: join(outside, 'tsconfig.json'), compilerOptions: { baseUrl: outside, paths: { x: [`${canary}.js`] } } }) }, ...main('index.ts') }),
    'plug-n-play': one({ files: { 'index.js': `module.exports = require('x')`, '.pnp.data.json': JSON.stringify({ __info: [], dependencyTreeRoots: [{ name: 'x', reference: 'y' }], enableTopLevelFallback: true, fallbackExclusionList: [], fallbackPool: [['x', 'y']], ignorePatternData: null, packageRegistryData: [[null, [[null, { packageLocation: './', packageDependencies: [['x', 'y']] }]]], ['x', [['y', { packageLocation: `${outside}/`, packageDependencies: [] }]]]] }) } }),
    symlink: one({ files: { 'index.js': `module.exports = require('./x.js')` }, shell: `ln -s ${canary}.js x.js` }),
    'symlink-folder': one({ files: { 'index.js': `module.exports = require('./x/canary.js')` }, shell: `ln -s ${outside} x` }),
    'symlink-manifest': one({ files: { 'index.js': `module.exports = require('./x')` }, shell: `mkdir x && ln -s ${outside}/package.json x/package.json` }),
    'text-attribute': one({ files: { 'index.mjs': `import x from '${canary}' with { type: 'text' }; export default x` }, ...main('index.mjs') }),
    'json-attribute': one({ files: { 'index.mjs': `import x from '${canary}.json' with { type: 'json' }; export default x` }, ...main('index.mjs') }),
    'relative-url': one({ files: { 'index.mjs': `export default new URL('${CLIMB}${canary.slice(1)}.js', import.meta.url).href` }, ...main('index.mjs') }),
    'computed-import': one({ files: { 'index.mjs': 'export default (n) => import(`' + `${CLIMB}${outside.slice(1)}` + '/${n}`)' }, ...main('index.mjs') }),
    'computed-require': one({ files: { 'index.js': `module.exports = (n) => require('.' + './${CLIMB}${outside.slice(1)}/' + n)` } }),
    'native-and-computed': one({ files: { 'binding.gyp': '{}', 'index.js': `module.exports = (n) => require('./${CLIMB}${outside.slice(1)}/' + n)` } }),
    'jsx-source': one({ files: { 'index.js': `module.exports = require('./x.tsx')`, 'x.tsx': `/** @jsxRuntime automatic */ /** @jsxImportSource ${outside} */ export default <a/>` } }),
    'above-the-build': one({ files: { 'index.js': `let x; try { x = require('above') } catch (error) { x = error.code } module.exports = x` } }),
  }); // oxfmt-ignore
  bench = await workbench({ environment: { ALLOW_PRIVATE_NETWORK: '1', NPM_REGISTRY: registry.url } });
  // Node would find this package from the folders of builds, which are below.
  mkdirSync(join(bench.folder, 'node_modules', 'above'), { recursive: true });
  writeFileSync(join(bench.folder, 'node_modules', 'above', 'index.js'), `module.exports = '${CANARY} from a package'`);
});
afterAll(() => {
  bench.close();
  registry.close();
});

const from = (name: string) => ({ code: `import value from '${name}'; export default { value }` });

/**
 * Builds, and expects that neither the bundle nor the message has anything of files outside, or names that the attack
 * does not know.
 */
async function outcome(request: { code?: string; url?: string }) {
  const { result, bundle } = await bench.build(request);
  expect(String(bundle)).not.toMatch(CANARY);
  const message = result.ok ? '' : result.message;
  expect(message).not.toMatch(/CANARY|listed|ENOENT/);
  expect(message).not.toContain(bench.folder);
  return { ok: result.ok, message };
}

describe('the compiler follows no sourceMappingURL comment', () => {
  test.each(comments)('in code sent as text: %s', async (_, code) => {
    expect(await bench.value({ code: code(`module.exports = { value: 'value' }`) }, 'component.value')).toBe('value');
    const typed = code(`export default { value: 'value' as string }`);
    if (!typed.startsWith('#!')) expect(await bench.value({ code: typed }, 'component.value')).toBe('value');
  });

  test.each(comments)('in fetched files: %s', async (_, code) => {
    Object.assign(bench.site.files, {
      '/map/a.mjs': code(`import value from './b.js'; import { c } from './c.ts'; export default { value, c }`),
      '/map/b.js': code(`module.exports = 'value'`),
      '/map/c.ts': code(`export const c: string = 'c'`),
    });
    expect(await bench.value({ url: `${bench.site.base}/map/a.mjs` }, 'component.value')).toBe('value');
  });

  test.each(comments.map(([name], n) => [name, n] as const))('in a package: %s', async (_, n) => {
    expect(await bench.value(from(`commented-${n}`), 'component.value')).toBe('value');
  });

  test.each([
    'in-jsx',
    'in-tsx',
    'in-ts',
    'without-ending',
    'in-css',
    'in-open-css',
    'in-module-css',
    'with-place',
    'in-data-url',
    'in-base64',
    'json-in-data-url',
    'in-json',
    'in-text',
  ])('in any file of a package: %s', async (name) => {
    expect(await bench.value(from(name), 'component.value')).toBe('value');
  });

  test('strings, templates and expressions with such text keep it', async () => {
    const text = `//# sourceMappingURL=${url}`;
    const code = `export default { a: '${text}', b: \`\n${text}\`, c: /[/][*]# sourceMappingURL=/.source }`;
    expect(await bench.value({ code }, 'component')).toEqual({
      a: text,
      b: `\n${text}`,
      c: '[/][*]# sourceMappingURL=',
    });
  });

  test.each([
    ['an open block comment', `export default 1\n/*# sourceMappingURL=${url} `, /^component\.mjs:2:\d+: /],
    ['an open template', `export default \`\n//# sourceMappingURL=${url} `, /^component\.mjs:2:\d+: /],
    ['a repeated declaration', `let a; let a; export default a\n//# sourceMappingURL=${url}`, /:1:12: /],
    ['an open object', `//# sourceMappingURL=${url}\nexport default {`, /^component\.mjs:2:17: .*end of file/],
  ])('a wrong file with such a comment keeps the place of its error: %s', async (_, code, message) => {
    expect((await outcome({ code })).message).toMatch(message);
  });

  test('a stack still names file and line', async () => {
    const code = `//# sourceMappingURL=${url}\nexport default {\n  go() { return new Error('no').stack },\n}`;
    expect(await bench.value({ code }, 'component.go()')).toMatch(/at .*component\.mjs:3/);
  });
});

describe('a package cannot make the compiler read outside of its build', () => {
  test.each([
    'abs-require',
    'abs-json',
    'abs-folder',
    'file-url',
    'climbing',
    'climbing-main',
    'climbing-module',
    'climbing-folder',
    'climbing-exports',
    'climbing-pattern',
    'climbing-imports',
    'climbing-browser',
    'extending-tsconfig',
    'plug-n-play',
    'symlink',
    'symlink-folder',
    'symlink-manifest',
    'imported-css',
    'text-attribute',
    'json-attribute',
    'relative-url',
    'computed-import',
    'computed-require',
    'native-and-computed',
    'jsx-source',
    'above-the-build',
  ])('%s', async (name) => {
    await outcome(from(name));
  });

  test('a package above the folder of the build is not installed for it', async () => {
    expect(await bench.value(from('above-the-build'), 'component.value')).toBe('MODULE_NOT_FOUND');
  });
});

describe('a component cannot make the compiler read this machine', () => {
  test.each([
    `export default (n) => import(\`${CLIMB}${outside.slice(1)}/\${n}\`)`,
    `export default (n) => import("\\x2e\\x2e/${CLIMB}${outside.slice(1)}/" + n)`,
    `export default (n) => import('.' + './${CLIMB}${outside.slice(1)}/' + n)`,
    `export default (n) => import(/* */ './${CLIMB}${outside.slice(1)}/' + n)`,
    `export default (n) => require(\`./\${n}\`)`,
    `enum Up { A = '../' } export default (n: string) => import(\`\${Up.A}${CLIMB}${outside.slice(1)}/\${n}\`)`,
    `export default new URL('${CLIMB}${canary.slice(1)}.js', import.meta.url)`,
    `import x from '${canary}.json' with { type: 'json' }; export default x`,
    `import x from 'data:text/javascript,${encodeURIComponent(`//# sourceMappingURL=${url}`)}'; export default x`,
  ])('%s', async (code) => {
    await outcome({ code });
  });
});
