import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Workbench, workbench } from './workbench.ts';

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench({ environment: { ALLOW_PRIVATE_NETWORK: '1' } });
});
/** Workbenches of single tests: their folders lie within one another. */
const afterTests: (() => void)[] = [];
afterAll(() => {
  for (const close of afterTests.toReversed()) close();
  bench.close();
});

const at = (path: string) => `${bench.site.base}${path}`;
const serve = (files: Record<string, string>) => Object.assign(bench.site.files, files);

describe('component code', () => {
  test.each([
    ['an ECMAScript module', `export default { name: 'x', run() {} }`],
    ['a CommonJS module', `module.exports = { name: 'x', run() {} }`],
    [
      'a compiled CommonJS module',
      `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = { name: 'x' }`,
    ],
    ['TypeScript', `interface A { name: string } const a: A = { name: 'x' }; export default a satisfies A;`],
    ['a module with top-level await', `const name = await Promise.resolve('x'); export default { name }`],
    ['CommonJS that counts on sloppy mode', `for (item of ['x']) {} module.exports = { name: item }`],
    [
      'a module that imports builtins',
      `import os from 'os'; import { join } from 'node:path'; export default { name: os.EOL && join('x') }`,
    ],
    [
      'CommonJS that requires builtins',
      `const { promisify } = require('util'); module.exports = { name: promisify && 'x' }`,
    ],
    [
      'import.meta.url',
      `import { fileURLToPath } from 'url'; export default { name: fileURLToPath(import.meta.url) && 'x' }`,
    ],
    [
      'import.meta.url beside top-level await',
      `await 0; import { createRequire } from 'module'; const require = createRequire(import.meta.url); export default { name: require('path').join('x') }`,
    ],
    ['__dirname', `module.exports = { name: require('path').isAbsolute(__dirname) && 'x' }`],
    ['a dynamic import of a builtin', `const { join } = await import('node:path'); export default { name: join('x') }`],
    [
      'a dynamic import inside a method',
      `export default { get name() { return 'x' }, async load() { return (await import('path')).join('x') } }`,
    ],
    [
      'our platform module',
      `import { axios, ConfigurationError } from '@pipedream/platform@1.2.3'; export default { name: axios && ConfigurationError && 'x' }`,
    ],
    [
      'our platform module beside top-level await',
      `import { lineEnd } from '@pipedream/platform'; await 0; export default { name: lineEnd() && 'x' }`,
    ],
    [
      'our platform module by its old name',
      `const { DEFAULT_POLLING_SOURCE_TIMER_INTERVAL: n } = require('@pipedreamhq/platform'); module.exports = { name: n === 900 && 'x' }`,
    ],
    ['our types', `import { defineSource } from '@pipedream/types'; export default defineSource({ name: 'x' })`],
  ])('%s builds', async (_, code) => {
    expect(await bench.value({ code }, 'component.name')).toBe('x');
  });

  test('a dynamic import inside a method works when it runs', async () => {
    const code = `export default { async load() { return (await import('path')).posix.join('a', 'b') } }`;
    expect(await bench.value({ code }, 'component.load()')).toBe('a/b');
  });

  test('much code makes a small bundle, which a process holds once', async () => {
    const parts = Array.from({ length: 40_000 }, (_, n) => `class Part${n} { /** Ångström ${n} */ static n = ${n}; }`);
    const code = `${parts.join('\n')}\nexport default { name: 'x', sum: Part1.n + Part39999.n }`;
    const { bundleBytes } = await bench.built({ code });
    expect(bundleBytes).toBeLessThan(code.length / 3);
    expect(await bench.value({ code }, 'component.sum')).toBe(40_000);
  });

  test('functions keep their names', async () => {
    expect(await bench.value({ code: `const f = class Foo {}; export default { f }` }, 'component.f.name')).toBe('Foo');
  });

  test.each([
    ['ECMAScript module', `export default {\n  go() {\n    throw new Error('no')\n  },\n}`],
    ['module with top-level await', `await 0\nexport default { go() {\n    throw new Error('no')\n  },\n}`],
  ])('a stack names file and line of the component: %s', async (_, code) => {
    const stack = await bench.value({ code }, '(() => { try { component.go() } catch (e) { return e.stack } })()');
    expect(stack).toMatch(/^Error: no\n\s+at .*component\.mjs:3/);
  });
});

describe('the code of an error', () => {
  const excerpt = `(() => { try { component.go() } catch (error) { return globalThis[Symbol.for('tributary.excerpt')](error) } })()`;

  test.each([
    ['ECMAScript module', `export default {\n  go() {\n    const   y = {}.b.c; // ö\n  },\n}`],
    ['module with top-level await', `await 0\nexport default { go() {\n    const   y = {}.b.c; // ö\n  },\n}`],
    ['CommonJS', `module.exports = {\n  go() {\n    const   y = {}.b.c; // ö\n  },\n}`],
    ['code with CR LF', `export default {\r\n  go() {\r\n    const   y = {}.b.c; // ö\r\n  },\r\n}`],
  ])('is the line as it was written, and the column in it: %s', async (_, code) => {
    const line = '    const   y = {}.b.c; // ö';
    expect(await bench.value({ code }, excerpt)).toEqual({ line, column: line.indexOf('.c') + 1 });
  });

  test('is of the file that threw', async () => {
    const lib = `type A = string;\nexport const go = (a?: A) => {\n  throw new Error(a);\n};`;
    const code = `import { go } from './lib.ts';\nexport default { go }`;
    const found = await bench.value({ code, path: 'a.ts', files: [['lib.ts', lib]] }, excerpt);
    expect(found).toEqual({ line: '  throw new Error(a);', column: 8 });
  });

  test('of a component with more than 256 KB is not kept', async () => {
    const code = `/* ${'x'.repeat(256 * 1024)} */ export default { go: typeof globalThis[Symbol.for('tributary.excerpt')] }`;
    expect(await bench.value({ code }, 'component.go')).toBe('undefined');
  });
});

describe('a failed build shows the code', () => {
  const frames = async (code: string) => {
    const { result } = await bench.build({ code });
    return result.ok ? [] : result.frames;
  };

  test('of its errors, below a position that the message names', async () => {
    expect(await frames('export default {\n  name: "ö", run( {\n}')).toEqual([
      { path: 'component.mjs:3:2', message: expect.stringMatching(/^ {4}\}\n {5}\^$/) as string },
    ]);
    expect(await frames(`const a = 'ö'; import x from 'https://a.test/x.mjs';\nexport default x`)).toEqual([
      {
        path: 'component.mjs:1:31',
        message: `    const a = 'ö'; import x from 'https://a.test/x.mjs';\n${' '.repeat(4 + 29)}^`,
      },
    ]);
  });

  test('at most of three errors, and not of one without a position', async () => {
    const imports = Array.from({ length: 9 }, (_, n) => `import './missing-${n}.mjs';`).join('\n');
    expect(await frames(`${imports}\nexport default {}`)).toHaveLength(3);
    expect(await frames('export const x = 1')).toEqual([]);
  });
});

describe('an error names its place', () => {
  test.each([
    ['a syntax error', 'export default {\n  run( {\n}', /^component\.mjs:3:\d+: /],
    ['an unfinished component', 'export default {', /^component\.mjs:1:17: .*end of file/],
    ['no default export', 'export const x = 1', /^component\.mjs has no default export: add export default \{ … \}$/],
    [
      'a missing name of the platform module',
      `import { foo } from '@pipedream/platform';\nexport default { foo }`,
      /^component\.mjs:1:10: @pipedream\/platform has no export "foo"$/,
    ],
    [
      'the same through a namespace',
      `import * as p from '@pipedream/platform';\nexport default { a: p.foo }`,
      /^component\.mjs:2:\d+: @pipedream\/platform has no export "foo"$/,
    ],
    [
      'the same by destructuring a require',
      `\nconst { axios, foo } = require('@pipedreamhq/platform');\nmodule.exports = { foo }`,
      /^component\.js:2:1: @pipedreamhq\/platform has no export "foo"$/,
    ],
    [
      'the same by a member of a require',
      `const f = require('@pipedream/platform').foo;\nmodule.exports = { f }`,
      /has no export "foo"$/,
    ],
    [
      'a missing name of the types module',
      `import { defineAction } from '@pipedream/types'; export default defineAction({})`,
      /@pipedream\/types has no export "defineAction"/,
    ],
    [
      'a relative import of code sent as text',
      `import x from './x.mjs'; export default x`,
      /^component\.mjs:1:15: "\.\/x\.mjs" is a relative import.*component_url/,
    ],
    ['a computed import', 'export default { load: (n) => import(`./${n}.mjs`) }', /computed paths cannot be imported/],
  ])('%s', async (_, code, message) => {
    expect(await bench.failure({ code })).toMatch(message);
  });

  test('a wrong relative path is answered with its address and status', async () => {
    serve({
      '/a/wrong.mjs': `import x from './b.mjs';\nimport y from '../nowhere.mjs'; export default { x, y }`,
      '/a/b.mjs': 'export default 1',
    });
    expect(await bench.failure({ url: at('/a/wrong.mjs') })).toMatch(
      `a/wrong.mjs:2:15: "../nowhere.mjs" was not found: ${at('/nowhere.mjs')} answered 404`,
    );
  });

  test('a missing entry is answered with its address and status', async () => {
    expect(await bench.failure({ url: at('/missing.mjs') })).toBe(`component_url ${at('/missing.mjs')} answered 404`);
  });

  test('a page is no component', async () => {
    bench.site.files['/page.mjs'] = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>');
    expect(await bench.failure({ url: at('/page.mjs') })).toContain('answers with a web page');
  });

  test('a server error, a dead server and an endless redirect name the address', async () => {
    bench.site.files['/500.mjs'] = (_, response) => response.writeHead(500).end();
    bench.site.files['/loop.mjs'] = (_, response) => response.writeHead(302, { location: '/loop.mjs' }).end();
    expect(await bench.failure({ url: at('/500.mjs') })).toBe(`${at('/500.mjs')} answered 500`);
    expect(await bench.failure({ url: at('/loop.mjs') })).toBe(`${at('/loop.mjs')} redirects more than 3 times`);
    expect(await bench.failure({ url: 'http://127.0.0.1:9/x.mjs' })).toMatch(
      /^http:\/\/127\.0\.0\.1:9\/x\.mjs could not be fetched/,
    );
  });

  test('three redirects are followed, and imports start where they end', async () => {
    for (const n of [1, 2, 3])
      bench.site.files[`/r${n}`] = (_, response) =>
        response.writeHead(302, { location: n === 3 ? '/deep/down/end.mjs' : `/r${n + 1}` }).end();
    serve({
      '/deep/down/end.mjs': `import x from '../x.mjs'; export default { x }`,
      '/deep/x.mjs': 'export default 7',
    });
    expect(await bench.value({ url: at('/r1') }, 'component.x')).toBe(7);
  });

  test('a file may have 1 MiB and not more', async () => {
    const filled = (bytes: number) => 'export default 1;'.padEnd(bytes, ' ');
    serve({ '/fits.mjs': filled(1024 * 1024), '/big.mjs': filled(1024 * 1024 + 1) });
    await bench.built({ url: at('/fits.mjs') });
    expect(await bench.failure({ url: at('/big.mjs') })).toBe(`${at('/big.mjs')} is larger than 1 MiB`);
  });

  test('a component may have 50 files and not more', async () => {
    const chain = (name: string, length: number) => {
      for (let n = 1; n <= length; n += 1)
        serve({
          [`/${name}/${n}.mjs`]: n < length ? `export { default } from './${n + 1}.mjs'` : 'export default 1',
        });
    };
    chain('fifty', 50);
    chain('more', 51);
    await bench.built({ url: at('/fifty/1.mjs') });
    expect(await bench.failure({ url: at('/more/1.mjs') })).toContain('more than 50 files');
  });
});

describe('relative imports', () => {
  test.each([
    ['without ending to .mjs', '/app/rss.app.mjs', `import app from '../rss.app'; export default { app }`],
    ['without ending to .ts', '/app/rss.app.ts', `import app from '../rss.app'; export default { app }`],
    ['without ending to .js', '/app/rss.app.js', `module.exports = { app: require('../rss.app') }`],
    ['.mjs that is .ts', '/app/rss.app.ts', `import app from '../rss.app.mjs'; export default { app }`],
    ['.js that is .ts', '/app/rss.app.ts', `import app from '../rss.app.js'; export default { app }`],
    ['a folder with an index', '/app/common/index.mjs', `import app from '../common'; export default { app }`],
    ['a folder with a slash', '/app/common/index.ts', `import app from '../common/'; export default { app }`],
    [
      'a dynamic import',
      '/app/lazy.mjs',
      `const { default: app } = await import('../lazy.mjs'); export default { app }`,
    ],
    ['another app', '/other/other.app.mjs', `import app from '../../other/other.app.mjs'; export default { app }`],
  ])('%s', async (title, path, code) => {
    const root = `/${title.replace(/\W/g, '-')}`;
    const text = path.endsWith('.js')
      ? `module.exports = 'found'`
      : `export default 'found'${path.endsWith('.ts') ? ' as string' : ''}`;
    const entry = `${root}/app/source/source.${code.startsWith('module') ? 'js' : 'mjs'}`;
    serve({ [root + path]: text, [entry]: code });
    expect(await bench.value({ url: at(entry) }, 'component.app')).toBe('found');
  });

  test.each([
    ['with an attribute', `import data from './data.json' with { type: 'json' }; export default { data }`],
    ['without', `import data from './data.json'; export default { data }`],
    ['required', `module.exports = { data: require('./data') }`],
  ])('JSON %s', async (title, code) => {
    const path = `/json-${title.replace(/\W/g, '-')}`;
    serve({ [`${path}/data.json`]: '{"a":1}', [`${path}/c.js`]: code });
    expect(await bench.value({ url: at(`${path}/c.js`) }, 'component.data.a')).toBe(1);
  });

  test('a TypeScript source drops imports of types only, however they are spelt', async () => {
    serve({
      '/ts/source.ts': `import { Thing } from './nowhere'; import app from './app'; const t: Thing = { app }; export default t;`,
      '/ts/app.ts': `export default 'app' as string`,
    });
    expect(await bench.value({ url: at('/ts/source.ts') }, 'component.app')).toBe('app');
  });

  test('a file that several import is fetched once', async () => {
    serve({
      '/once/a.mjs': `import b from './b.mjs'; import c from './c.mjs'; export default { b, c }`,
      '/once/b.mjs': `export { default } from './c.mjs'`,
      '/once/c.mjs': `export default 3`,
    });
    await bench.built({ url: at('/once/a.mjs') });
    expect(bench.site.requests.filter((path) => path === '/once/c.mjs')).toHaveLength(1);
  });
});

describe('the manifest', () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

  test('has the text of the entry and its hash, and is what was put last', async () => {
    const code = 'export default { name: "manifest" }';
    const { result, manifest, bundle } = await bench.build({ code });
    expect(result).toMatchObject({
      ok: true,
      manifest: { code, codeHash: sha256(code), packages: [], bundleBytes: bundle?.length },
    });
    expect(JSON.parse(String(manifest))).toEqual({
      manifest: result.ok && result.manifest,
      attempt: result.ok && result.attempt,
      inputs: [],
      builtBy: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      at: expect.any(Number) as number,
    });
    const keys = [...bench.site.puts.keys()].slice(-2);
    expect(keys.map((key) => key.replace(/\d+/, ''))).toEqual(['/bundle-', '/manifest-']);
  });

  test('the same files at another place are the same content, a changed one is not', async () => {
    const source = `import b from '../b.mjs'; export default { b }`;
    serve({ '/one/a/a.mjs': source, '/one/b.mjs': 'export default 1' });
    serve({ '/two/a/a.mjs': source, '/two/b.mjs': 'export default 1' });
    serve({ '/three/a/a.mjs': source, '/three/b.mjs': 'export default 2' });
    const [one, two, three] = await Promise.all(
      ['one', 'two', 'three'].map((name) => bench.built({ url: at(`/${name}/a/a.mjs`) })),
    );
    expect(two).toMatchObject({ contentHash: one?.contentHash, bundleHash: one?.bundleHash });
    expect(three?.codeHash).toBe(one?.codeHash);
    expect(three?.contentHash).not.toBe(one?.contentHash);
    expect(three?.bundleHash).not.toBe(one?.bundleHash);
  });

  test('an address is built with its current content', async () => {
    const url = at('/changing/a.mjs');
    const [first, second, third] = [
      {
        '/changing/a.mjs': `import b from './b.mjs'; export default { b }`,
        '/changing/b.mjs': 'export default 1',
      },
      { '/changing/b.mjs': 'export default 2' },
      { '/changing/a.mjs': 'export default { b: 3 }' },
    ];
    const hashes = [];
    for (const [files, expected] of [
      [first, 1],
      [first, 1],
      [second, 2],
      [third, 3],
      [{ ...first, ...second }, 2],
    ] as const) {
      serve(files ?? {});
      expect(await bench.value({ url }, 'component.b')).toBe(expected);
      hashes.push((await bench.built({ url })).contentHash);
    }
    const [one, again, two, , back] = hashes;
    expect([again, back]).toEqual([one, two]);
    expect(new Set(hashes).size).toBe(3);
  });
});

test.each(['platform.mjs', 'types.mjs', 'prelude.js'])(
  'a component is another bundle, and is built again, after a change of %s',
  async (name) => {
    const later = await workbench();
    afterTests.push(later.close);
    appendFileSync(join(later.asset.root, name), '\n// A later release.\n');
    const [one, two] = await Promise.all(
      [bench, later].map((each) => {
        each.site.files['/same.mjs'] = `export default { name: 'x' }`;
        return each.left({ url: `${each.site.base}/same.mjs` });
      }),
    );
    expect(two?.manifest.contentHash).toBe(one?.manifest.contentHash);
    expect(two?.manifest.bundleHash).not.toBe(one?.manifest.bundleHash);
    expect(two?.builtBy).not.toBe(one?.builtBy);
  },
);
