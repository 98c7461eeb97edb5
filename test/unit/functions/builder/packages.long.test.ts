import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { npmRegistry } from '../../../support/builder/registry.ts';
import { type Workbench, workbench } from './workbench.ts';

const says = (text: string) => ({ 'index.js': `module.exports = ${JSON.stringify(text)}` });
const from = (name: string) => ({ code: `import value from '${name}'; export default { value }` });

let bench: Workbench;
let registry: Awaited<ReturnType<typeof npmRegistry>>;
beforeAll(async () => {
  registry = await npmRegistry({
    many: [
      { version: '1.0.0', files: says('one') },
      { version: '1.2.0', files: says('one two') },
      { version: '2.0.0', files: { ...says('two'), 'sub/deep.js': `module.exports = 'deep'` } },
    ],
    '@scope/many': [
      { version: '1.0.0', files: says('scoped one') },
      { version: '2.0.0', files: { ...says('scoped two'), 'sub.js': `module.exports = 'scoped sub'` } },
    ],
    peered: [{ version: '1.0.0', files: { 'index.js': `module.exports = 'with ' + require('many')` }, manifest: { peerDependencies: { many: '^1.0.0' } } }],
    tolerant: [{ version: '1.0.0', files: { 'index.js': `let fast; try { fast = require('fast-native') } catch {} module.exports = fast ? 'fast' : 'slow'` }, manifest: { optionalDependencies: { 'fast-native': '1' } } }],
    'fast-native': [{ version: '1.0.0', files: { 'index.js': `module.exports = require('./build/Release/fast.node')`, 'build/Release/fast.node': 'ELF' } }],
    'native-only': [{ version: '1.0.0', files: { 'index.js': `module.exports = require('bindings')('it')` }, manifest: { dependencies: { bindings: '1' } } }],
    bindings: [{ version: '1.0.0', files: says('bindings') }],
    'native-later': [{ version: '1.0.0', files: { 'index.js': `module.exports = { open: () => require('./build/Release/x.node') }` } }],
    'needs-native': [{ version: '1.0.0', files: { 'index.js': `module.exports = require('./lib')`, 'lib.js': `exports.native = require('native-only')` }, manifest: { dependencies: { 'native-only': '1' } } }],
    'tolerates-native': [{ version: '1.0.0', files: { 'index.js': `let native; try { native = require('needs-native') } catch (error) { if (error.code !== 'MODULE_NOT_FOUND') throw error } module.exports = native ? 'fast' : 'slow'` }, manifest: { dependencies: { 'needs-native': '1' } } }],
    'native-by-path': [{ version: '1.0.0', files: { 'index.js': `let found; for (const path of ['../build/by-path.node', '@by-path/linux/x.node']) { try { found = require(path) } catch {} } if (!found) throw new Error('Nothing could be loaded'); module.exports = found` } }],
    'native-from-module': [{ version: '1.0.0', files: { 'index.mjs': `import { createRequire } from 'node:module'; let found; try { found = createRequire(import.meta.url)('../build/x.node') } catch {} if (!found) throw new Error('Nothing'); export default found` }, manifest: { main: 'index.mjs' } }],
    'native-its-own-way': [{ version: '1.0.0', files: { 'binding.gyp': '{}', 'index.js': `exports.open = (file) => { process.dlopen({ exports: {} }, file) }` } }],
    'native-in-try': [{ version: '1.0.0', files: { 'index.js': `let binding, failure; try { binding = require('./x.linux-x64-gnu.node') } catch (error) { failure = error } if (!binding) throw failure` , 'x.linux-x64-gnu.node': 'ELF' } }],
    lazy: [{ version: '1.0.0', files: { 'index.js': `module.exports = { now: 'now', later: () => require('never-installed') }` } }],
    reader: [{ version: '1.0.0', files: { 'lib/index.js': `module.exports = require('fs').readFileSync(__dirname + '/../data/words.txt', 'utf8')`, 'data/words.txt': 'read beside the code' }, manifest: { main: 'lib/index.js' } }],
    'module-reader': [{ version: '1.0.0', files: { 'index.mjs': `import { readFileSync } from 'fs'; export default readFileSync(new URL('./words.txt', import.meta.url), 'utf8')`, 'words.txt': 'read beside a module' }, manifest: { main: 'index.mjs' } }],
    'code-by-place': [{ version: '1.0.0', files: { 'index.js': `module.exports = require(__dirname + '/lib/a.js') + require(require('path').join(__dirname, 'lib/b'))`, 'lib/a.js': `module.exports = 'a'`, 'lib/b.js': `module.exports = 'b'` } }],
    'code-by-name': [{ version: '1.0.0', files: { 'index.js': `const path = require('path'); module.exports = require('fs').readdirSync(path.join(__dirname, 'parts')).map((name) => require(path.join(__dirname, 'parts', name))).join(' ')`, 'parts/a.js': `module.exports = require('../lib')('a')`, 'parts/b.js': `module.exports = 'b'`, 'lib.js': `module.exports = (x) => x + x` } }],
    resolving: [{ version: '1.0.0', files: { 'lib/index.js': `const at = require.resolve ? require.resolve("../data/words.txt") : null; module.exports = require('fs').readFileSync(at, 'utf8')`, 'data/words.txt': 'found by resolving' }, manifest: { main: 'lib/index.js' } }],
    'page-reader': [{ version: '1.0.0', files: { 'index.js': `module.exports = require('fs').readFileSync(__dirname + '/page.html', 'utf8')`, 'page.html': 'a page beside the code' } }],
    placed: [{ version: '1.0.0', files: { 'index.js': `#!/usr/bin/env node\nfor (const name of ['placed']) { if (__dirname && { __dirname }) module.exports = name }` } }],
    'own-place': [{ version: '1.0.0', files: { 'index.mjs': `import { fileURLToPath } from 'url'; import * as path from 'path'; const __filename = fileURLToPath(import.meta.url), __dirname = path.dirname(__filename); export default path.basename(__filename) + typeof __dirname` }, manifest: { main: 'index.mjs' } }],
    scripted: [{ version: '1.0.0', files: says('quiet'), manifest: { scripts: { install: 'touch ran', postinstall: 'touch /tmp/tributary-ran-a-script' } } }],
    tampered: [{ version: '1.0.0', files: says('tampered'), tampered: true }],
    'from-git': [{ version: '1.0.0', files: says('x'), manifest: { dependencies: { y: 'git+https://127.0.0.1/y.git' } } }],
    'from-address': [{ version: '1.0.0', files: says('x'), manifest: { dependencies: { y: 'http://127.0.0.1:1/y.tgz' } } }],
    'from-folder': [{ version: '1.0.0', files: says('x'), manifest: { dependencies: { y: 'file:/etc' } } }],
    'needs-missing': [{ version: '1.0.0', files: says('x'), manifest: { dependencies: { 'not-there': '1' } } }],
    linked: [{ version: '1.0.0', files: { 'index.js': `module.exports = require('./out.js')` }, shell: 'ln -s /proc/self/environ out.js' }],
    escaping: [{ version: '1.0.0', files: { 'index.js': `module.exports = require('../../../../../../../etc/passwd')` } }],
    'escaping-main': [{ version: '1.0.0', files: {}, manifest: { main: '../../../../../../../proc/self/status' } }],
    'escaping-json': [{ version: '1.0.0', files: { 'index.js': `module.exports = require('../../outside.json')` } }],
    'escaping-imports': [{ version: '1.0.0', files: { 'index.mjs': `import x from '#out'; export default x` }, manifest: { main: 'index.mjs', imports: { '#out': '/proc/self/environ' } } }],
    'escaping-browser': [{ version: '1.0.0', files: says('stays inside'), manifest: { browser: { './index.js': '/proc/self/environ' } } }],
    'escaping-attribute': [{ version: '1.0.0', files: { 'index.mjs': `import x from './index.mjs' with { type: 'text' }; export default x` }, manifest: { main: 'index.mjs' } }],
    'escaping-glob': [{ version: '1.0.0', files: { 'index.mjs': 'export default (n) => import(`/proc/self/${n}`)' }, manifest: { main: 'index.mjs' } }],
    'escaping-url': [{ version: '1.0.0', files: { 'index.mjs': `import x from 'file:///proc/self/environ'; export default x` }, manifest: { main: 'index.mjs' } }],
    'escaping-tsconfig': [{ version: '1.0.0', files: { 'index.ts': `import x from 'out'; export default x`, 'tsconfig.json': '{"compilerOptions":{"paths":{"out":["/proc/self/environ"]}}}' }, manifest: { main: 'index.ts' } }],
  }); // oxfmt-ignore
  bench = await workbench({ environment: { ALLOW_PRIVATE_NETWORK: '1', NPM_REGISTRY: registry.url } });
});
afterAll(() => {
  bench.close();
  registry.close();
});

describe('npm packages', () => {
  test.each([
    ['the latest version without a suffix', 'many', 'two'],
    ['an exact version', 'many@1.0.0', 'one'],
    ['a caret range', 'many@^1', 'one two'],
    ['a tilde range', 'many@~1.0.0', 'one'],
    ['a path inside', 'many/sub/deep.js', 'deep'],
    ['a path inside, without ending', 'many/sub/deep', 'deep'],
    ['a version and a path', 'many@2.0.0/sub/deep', 'deep'],
    ['a scope', '@scope/many', 'scoped two'],
    ['a scope with a version', '@scope/many@1', 'scoped one'],
    ['a scope with a version and a path', '@scope/many@^2.0.0/sub', 'scoped sub'],
    ['peers, which are installed', 'peered', 'with one two'],
    ['an optional native add-on, which is left out', 'tolerant', 'slow'],
    ['an optional package that needs a native add-on', 'tolerates-native', 'slow'],
    ['files beside the code', 'reader', 'read beside the code'],
    ['files beside a module', 'module-reader', 'read beside a module'],
    ['pages beside the code', 'page-reader', 'a page beside the code'],
    ['files found by require.resolve', 'resolving', 'found by resolving'],
    ['code required by its place', 'code-by-place', 'ab'],
    ['code found by its place when it runs', 'code-by-name', 'aa b'],
    ['a place asked for in a loop, under a line for the shell', 'placed', 'placed'],
    ['a place that a module works out itself', 'own-place', 'index.mjsstring'],
  ])('%s', async (_, specifier, expected) => {
    expect(await bench.value(from(specifier), 'component.value')).toBe(expected);
  });

  test('two versions of one package in one bundle', async () => {
    const code = `const a = require('many@1.0.0'), b = require('many@2'); module.exports = { value: [a, b] }`;
    expect(await bench.value({ code }, 'component.value')).toEqual(['one', 'two']);
  });

  test('a dynamic import is bundled', async () => {
    const code = `export default { load: async () => (await import('many')).default }`;
    expect(await bench.value({ code }, 'component.load()')).toBe('two');
  });

  test('a missing import of a package fails only the run that reaches it', async () => {
    const code = `import lazy from 'lazy'; export default lazy`;
    expect(await bench.value({ code }, 'component.now')).toBe('now');
    await expect(bench.value({ code }, 'component.later()')).rejects.toThrow(/Cannot find module 'never-installed'/);
  });

  test('ranges come from the nearest package.json of the app', async () => {
    Object.assign(bench.site.files, {
      '/app/sources/a/a.mjs': `import value from 'many'; export default { value, app: 1 }`,
      '/app/package.json': '{"dependencies":{"many":"~1.0.0"}}',
      '/package.json': '{"dependencies":{"many":"^2","@scope/many":"1.0.0"}}',
      '/app/sources/b/b.mjs': `import value from '@scope/many'; export default { value, app: 1 }`,
    });
    const value = (path: string) => bench.value({ url: bench.site.base + path }, 'component.value');
    expect(await value('/app/sources/a/a.mjs')).toBe('one');
    expect(await value('/app/sources/b/b.mjs')).toBe('scoped one');
  });

  test('ranges of code that is sent come from the nearest package.json among its files, which belongs to the content', async () => {
    const code = `import value from 'many'; import scoped from '@scope/many'; export default { value, scoped }`;
    const path = 'sources/a/a.mjs';
    const files = (range: string): [string, string][] => [
      ['sources/package.json', JSON.stringify({ dependencies: { many: range } })],
      ['package.json', '{"dependencies":{"many":"^2","@scope/many":"1.0.0"}}'],
      ['sources/b/package.json', '{"dependencies":{"many":"^2"}}'],
    ];
    const values = '[component.value, component.scoped]';
    expect(await bench.value({ code, path, files: files('~1.0.0') }, values)).toEqual(['one', 'scoped one']);
    const [one, two] = [
      await bench.built({ code, path, files: files('~1.0.0') }),
      await bench.built({ code, path, files: files('2.0.0') }),
    ];
    expect(two.contentHash).not.toBe(one.contentHash);
    expect(two.packages).toContainEqual({ name: 'many', version: '2.0.0' });
  });

  test('an unchanged address is built anew when a package.json above it has come or gone', async () => {
    const url = `${bench.site.base}/again/sources/a.mjs`;
    bench.site.files['/again/sources/a.mjs'] = `import value from 'many'; export default { value, again: 1 }`;
    const earlier = await bench.left({ url });
    const again = () => bench.build({ url, earlier });
    expect((await again()).bundle).toBeUndefined();
    bench.site.files['/again/package.json'] = '{"dependencies":{"many":"1.0.0"}}';
    const { result } = await again();
    expect(result.ok && result.manifest.packages).toContainEqual({ name: 'many', version: '1.0.0' });
    delete bench.site.files['/again/package.json'];
    expect((await again()).bundle).toBeUndefined();
  });

  test('a package.json that is wrong or asks for anything but versions is ignored', async () => {
    Object.assign(bench.site.files, {
      '/odd/a.mjs': `import value from 'many'; export default { value }`,
      '/odd/package.json': '{"dependencies":{"many":"file:/etc"}}',
      '/worse/a.mjs': `import value from '@scope/many'; export default { value: value + '' }`,
      '/worse/package.json': '{',
    });
    delete bench.site.files['/package.json'];
    expect(await bench.value({ url: `${bench.site.base}/odd/a.mjs` }, 'component.value')).toBe('two');
    expect(await bench.value({ url: `${bench.site.base}/worse/a.mjs` }, 'component.value')).toBe('scoped two');
  });

  test('no script of a package runs', async () => {
    expect(await bench.value(from('scripted'), 'component.value')).toBe('quiet');
    expect(existsSync('/tmp/tributary-ran-a-script')).toBe(false);
  });

  test('the manifest lists every resolved package', async () => {
    const { packages } = await bench.built(from('peered'));
    expect(packages).toEqual(
      expect.arrayContaining([
        { name: 'peered', version: '1.0.0' },
        { name: 'many', version: '1.2.0' },
      ]),
    );
  });

  test('another version of a package is another bundle of the same content', async () => {
    Object.assign(bench.site.files, { '/v/a.mjs': `import value from 'many'; export default [value]` });
    const url = `${bench.site.base}/v/a.mjs`;
    bench.site.files['/v/package.json'] = '{"dependencies":{"many":"1.0.0"}}';
    const one = await bench.built({ url, ownerId: 'u_2' });
    bench.site.files['/v/package.json'] = '{"dependencies":{"many":"2.0.0"}}';
    const two = await bench.built({ url, ownerId: 'u_3' });
    expect(two.contentHash).toBe(one.contentHash);
    expect(two.bundleHash).not.toBe(one.bundleHash);
  });
});

describe('a package that cannot be installed', () => {
  test.each([
    [
      'a package that does not exist',
      'nobody-has-this',
      'the package "nobody-has-this" was not found on the npm registry, imported by component.mjs:1:19',
    ],
    ['a scoped one', '@nobody/has-this/x', 'the package "@nobody/has-this" was not found'],
    [
      'a version that does not exist',
      'many@99',
      'the package "many" has no version "99", imported by component.mjs:1:19',
    ],
    ['a file that a package lacks', 'many/nope', 'component.mjs:1:19: the package "many" has no "nope"'],
    [
      'a dependency that does not exist',
      'needs-missing',
      'the package "not-there" was not found on the npm registry, needed by a package that component.mjs:1:19 imports',
    ],
    ['an archive that is not the one that was published', 'tampered', 'cannot be installed'],
    ['a dependency from a repository', 'from-git', 'cannot be installed'],
    ['a dependency from an address', 'from-address', 'cannot be installed'],
    ['a dependency from a folder', 'from-folder', 'cannot be installed'],
  ])('%s', async (_, specifier, message) => {
    expect(await bench.failure(from(specifier))).toContain(message);
  });

  test.each([
    ['asks for one at load', 'native-only', /^component\.mjs:1:\d+: the package "native-only" needs a native add-on, which components cannot use$/],
    ['asks for one later', 'native-later', /the package "native-later" needs a native add-on/],
    ['finds one in a way of its own', 'native-its-own-way', /the package "native-its-own-way" needs a native add-on/],
    ['needs a package that asks for one', 'needs-native', /1:\d+: the package "native-only" needs a native add-on.*, and "needs-native" needs that package$/],
  ])('a package that %s is refused, and named', async (_, name, message) => {
    expect(await bench.failure(from(name))).toMatch(message);
  }); // oxfmt-ignore

  test.each([
    ['native-by-path', /the package "@by-path\/linux" needs a native add-on.*: Nothing could be loaded/],
    ['native-from-module', /the package "x\.node" needs a native add-on.*: Nothing/],
    ['native-in-try', /the package "native-in-try" needs a native add-on/],
  ])('a package with a requirement that shows at load (%s) fails then, with the reason', async (name, message) => {
    await expect(bench.value(from(name), '1')).rejects.toThrow(message);
  });
});

/** Folders with installed packages. */
function setsOnDisk(): string[] {
  const folders = readdirSync(bench.folder, { recursive: true, encoding: 'utf8' });
  return folders
    .filter((path) => /^tributary-builder[^/]*\/installed-sets\/[^/]+\/node_modules$/.test(path))
    .map((path) => join(bench.folder, dirname(path)));
}

test('concurrent builds of one user install the same packages once', async () => {
  const before = setsOnDisk().length;
  const codes = [1, 2, 3].map(
    (n) => `import a from 'many@1.2.0'; import b from 'lazy'; export default { n: ${n}, a, b }`,
  );
  const built = await Promise.all(codes.map((code) => bench.build({ code })));
  expect(built.map(({ result }) => result.ok)).toEqual([true, true, true]);
  expect(setsOnDisk()).toHaveLength(before + 1);
});

describe('the resolver is a whitelist', () => {
  test.each([
    '/proc/self/environ', '/etc/passwd', 'file:///proc/self/environ', 'file:/etc/passwd', 'data:text/javascript,export default 1',
    'http://127.0.0.1:1/x.mjs', 'https://example.com/x.mjs', '#internal', '..\\\\..\\\\etc', 'C:/x.js', '//etc/passwd', '\\0x',
    'many/../../../../../../../../etc/passwd', 'node:nothing', 'npm:many', 'component:x', 'component-entry', '.hidden',
  ])('a component cannot import %s', async (specifier) => {
    for (const code of [`import x from '${specifier}'; export default { x }`, `module.exports = require('${specifier}')`])
      expect(await bench.failure({ code })).toMatch(/^component\.m?js:1:\d+: |was not found/);
  }); // oxfmt-ignore

  test.each(['text', 'bytes', 'file', 'css'])('no import attribute but json: %s', async (type) => {
    Object.assign(bench.site.files, {
      '/with/a.mjs': `import x from './b.txt' with { type: '${type}' }; export default { x }`,
      '/with/b.txt': 'x',
    });
    expect(await bench.failure({ url: `${bench.site.base}/with/a.mjs` })).toContain(`type: "${type}" is not supported`);
  });

  test.each([
    'export default (n) => import(`./${n}`)',
    'export default (n) => import(`../../../../../../../../../proc/self/${n}`)',
    'export default (n) => import(`/proc/self/${n}`)',
    'module.exports = (n) => require("../../../../../../proc/self/" + n)',
  ])('a computed path reads nothing of this machine: %s', async (code) => {
    const { result, bundle } = await bench.build({ code });
    expect(String(bundle)).not.toMatch(/Uid:|PATH=/);
    if (!result.ok) expect(result.message).toMatch(/computed paths cannot be imported|cannot be imported/);
  });

  test.each([
    'escaping',
    'escaping-main',
    'escaping-imports',
    'escaping-attribute',
    'escaping-glob',
    'escaping-url',
    'escaping-tsconfig',
    'linked',
  ])('a package cannot reach outside of its build: %s', async (name) => {
    const { result, bundle } = await bench.build(from(name));
    const text = String(bundle);
    expect(text).not.toMatch(/root:x:0|Uid:|PATH=|NODE_EXTRA/);
    if (result.ok) await expect(bench.value(from(name), 'component.value')).rejects.toThrow();
  });

  test('a map for browsers is not followed', async () => {
    expect(await bench.value(from('escaping-browser'), 'component.value')).toBe('stays inside');
  });

  test('another build of the same machine cannot be imported', async () => {
    await bench.built(from('many'));
    const installedSets = setsOnDisk();
    expect(installedSets).not.toEqual([]);
    for (const set of installedSets)
      expect(
        await bench.failure({ code: `import x from '${set}/node_modules/many/index.js'; export default x` }),
      ).toContain('cannot be imported');
  });
});
