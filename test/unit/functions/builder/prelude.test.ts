import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { type Bundled, runScript, startModule } from '../../../../functions/builder/prelude/prelude.ts';
import type { OwnCode } from '../../../../functions/builder/prelude/thrown-lines.ts';
import { EXCERPT } from '../../../../shared/runtime/excerpt.ts';

const { prepareStackTrace } = Error;
const folder = mkdtempSync(join(tmpdir(), 'prelude-'));
vi.stubEnv('TMPDIR', folder);
afterEach(() => {
  Error.prepareStackTrace = prepareStackTrace;
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

const packed = (value: unknown) => gzipSync(JSON.stringify(value)).toString('base64');
const bare: Bundled = { files: {}, hash: 'x', lines: { files: [], lines: [] } };
const require = createRequire(import.meta.url);
/** The default export of a script. */
const run = (text: string, bundled: Partial<Bundled> = {}) => runScript({ ...bare, ...bundled }, { text }, require);

function thrownBy(call: () => unknown): Error & { nativeAddOn?: unknown } {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  return expect.fail('no error was thrown');
}

describe('the stack of an error', () => {
  /** Lines 2 and 4 of the bundle are lines 11 and 13 of the component's file. */
  const lines = { files: ['own.mjs'], lines: [2, 0, 11, 4, 0, 13] };
  const throwing = (line: number) => () => run(`${'\n'.repeat(line - 1)}throw new Error('no');`, { lines });

  test("names the component's file and line", () => {
    expect(thrownBy(throwing(2)).stack).toMatch(/^Error: no\n {4}at .*own\.mjs:11\)?\n/);
    expect(thrownBy(throwing(4)).stack).toMatch(/^Error: no\n {4}at .*own\.mjs:13\)?\n/);
  });

  test('keeps the frames of other code', () => {
    for (const line of [1, 3, 5])
      expect(thrownBy(throwing(line)).stack).toMatch(new RegExp(`at .*/component/bundle\\.js:${line}:7`));
  });

  test('of a module counts its lines without those before it', () => {
    startModule({ ...bare, lines }, 'module.mjs', 100);
    const prepare = Error.prepareStackTrace ?? expect.fail('stacks are not mapped');
    const frame = { getLineNumber: () => 102, getColumnNumber: () => 7, toString: () => 'module.mjs:102:7' };
    expect(prepare(new Error('no'), [frame as NodeJS.CallSite])).toBe('Error: no\n    at own.mjs:11');
  });
});

test('an excerpt shows the line of the last mapped position before the throw', () => {
  const texts = ['one\r\ntwo\nthree'];
  const points = [2, 0, 0, 1, 0, 2, 14, 0, 2, 4, 2, 30, 0, 2, 5, 4, 0, 0, 3, 0];
  const ownCode = packed({ points, texts } satisfies OwnCode);
  const lines = { files: ['own.mjs'], lines: [2, 0, 1, 3, 0, 1, 4, 0, 3] };
  const script =
    'exports.default = [\n() => { throw new Error() },\n() => { throw new Error() },\n() => { throw new Error() }]';
  const thrown = run(script, { lines, ownCode });
  const find = (error: unknown): unknown => Reflect.get(globalThis, Symbol.for(EXCERPT))(error);
  const found = (Array.isArray(thrown) ? thrown : []).map((each) => find(thrownBy(each)));
  expect(found).toEqual([{ line: 'two', column: 4 }, undefined, { line: 'three', column: 0 }]);
  expect(find(new Error('of this test'))).toBeUndefined();
});

describe('data files of a package', () => {
  const name = 'node_modules/@own/data';
  const files = { [name]: packed({ 'a/b.txt': Buffer.from('hello').toString('base64') }) };

  test('are below the temporary directory when the package asks for its path', () => {
    const script = `exports.default = __place('${name}/index.js');`;
    const root = join(folder, 'component-data', name);
    expect(run(script, { files, hash: 'data' })).toEqual({
      filename: join(root, 'index.js'),
      dirname: root,
      url: `file://${root}/index.js`,
    });
    expect(readFileSync(join(root, 'a', 'b.txt'), 'utf8')).toBe('hello');
  });
});

describe('a native add-on', () => {
  const refusal = (name: string) => `the package "${name}" needs a native add-on, which components cannot use`;

  test.each([
    ['by its file', `require('./build/own.node')`, 'own.node'],
    ['by the package that has it', `require('@a/b/lib/x.node')`, '@a/b'],
    ['by a `require` of its own', `require('node:module').createRequire(__place('a').url)('b/x.node')`, 'b'],
    ['by a path that the compiler did not see', `__req__('b/' + 'x.node')`, 'b'],
  ])('is refused %s', (_, code, name) => {
    const error = thrownBy(() => run(code));
    expect(error).toMatchObject({ message: refusal(name), code: 'MODULE_NOT_FOUND', nativeAddOn: name });
  });

  test('that a package does without leaves no trace', () => {
    expect(run(`try { __addOn('fast') } catch {} exports.default = require('node:path').posix.join('a', 'b')`)).toBe(
      'a/b',
    );
  });

  test('is the cause of an error that follows its refusal', () => {
    const error = thrownBy(() => run(`try { throw __addOn('fast') } catch { throw new TypeError('no\\nmore') }`));
    expect(error.message).toBe(`${refusal('fast')}: no`);
    expect(error).toMatchObject({ nativeAddOn: 'fast', cause: expect.any(TypeError) });
  });
});

test('a script may be packed, and may need sloppy mode', () => {
  const script = gzipSync('for (n of [1]) {} exports.default = n;').toString('base64');
  expect(runScript(bare, { packed: script }, require)).toBe(1);
});
