import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compile } from '../../../../../infra/embedded/lambda/compiled-code.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-compiled-'));
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true });
});

const kept = () => readdirSync(folder);

function responseOf(source: string): unknown {
  const sha256 = createHash('sha256').update(source).digest('hex');
  const run = compile({ file: join(folder, 'index.js'), source, sha256, names: ['exports'] });
  const exports: { response?: unknown } = {};
  run(exports);
  return exports.response;
}

test('the compiled form of a bundle is kept once it has run, readable for its owner only, and used by the next start', () => {
  expect(responseOf('exports.response = 1')).toBe(1);
  expect(kept()).toEqual([]);
  vi.runAllTimers();
  expect(kept()).toEqual([expect.stringMatching(/^index\.js\.[0-9a-f]{16}\.v8$/)]);
  expect(responseOf('exports.response = 1')).toBe(1);
  expect(vi.getTimerCount(), 'nothing is kept again').toBe(0);
});

test('the compiled form of another text of the same length is not used', () => {
  responseOf('exports.response = 1');
  vi.runAllTimers();
  expect(responseOf('exports.response = 2')).toBe(2);
});

test('a compiled form that V8 refuses is replaced', () => {
  const source = 'exports.response = "refused"';
  const sha256 = createHash('sha256').update(source).digest('hex');
  const name = `index.js.${sha256.slice(0, 16)}.v8`;
  writeFileSync(join(folder, name), 'of another version');
  expect(responseOf(source)).toBe('refused');
  vi.runAllTimers();
  expect(kept()).toEqual([name]);
  expect(readFileSync(join(folder, name), 'latin1')).not.toBe('of another version');
});

test('a bundle in a folder that is gone or cannot be written runs without', () => {
  const sha256 = createHash('sha256').update('').digest('hex');
  expect(compile({ file: join(folder, 'none', 'index.js'), source: 'return 1', sha256, names: [] })()).toBe(1);
  expect(() => vi.runAllTimers()).not.toThrow();
});

test('a stack names the line and column of the bundle', () => {
  const source = 'exports.response = new Error("here").stack';
  expect(responseOf(source)).toContain(`${join(folder, 'index.js')}:1:20`);
});
