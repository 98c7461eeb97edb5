import { runInThisContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Runner, source } from './harness.ts';

/** A component's `process.env` behaves as Node's own, and is not the environment of the C library. */

let runner: Runner;
beforeAll(async () => {
  runner = await Runner.start({ env: { HTTPS_PROXY: 'http://proxy.invalid', SECRET: 'of the service' } });
});
afterAll(() => runner.close());

const emitted = async (expression: string): Promise<unknown> => {
  const response = await runner.run(
    source(
      `async run() { let got; try { got = (${expression})(process.env); } catch (error) { got = error.name; } this.$emit({ got }); }`,
    ),
  );
  return response.events[0];
};

/** The response of Node's own object. */
function ofNode(expression: string): unknown {
  const use = runInThisContext(`(${expression})`) as (env: NodeJS.ProcessEnv) => unknown;
  const before = Object.keys(process.env);
  try {
    return use(process.env);
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  } finally {
    for (const name of Object.keys(process.env)) if (!before.includes(name)) Reflect.deleteProperty(process.env, name);
  }
}

describe("as Node's own object does, it", () => {
  test.each([
    [
      'makes text of values',
      `(env) => { env.A1 = 1; env.A2 = undefined; env.A3 = null; env.A4 = { toString: () => 'x' }; env.A5 = false; return [env.A1, env.A2, env.A3, env.A4, env.A5]; }`,
    ],
    ['keeps the new value of a variable', `(env) => { env.A1 = 'a'; env.A1 = 'b'; env.A1 += 'c'; return env.A1; }`],
    [
      'tells which variables there are',
      `(env) => { env.A1 = 'a'; return ['A1' in env, Object.hasOwn(env, 'A1'), env.hasOwnProperty('A1'), 'A2' in env, env.A2 === undefined]; }`,
    ],
    ['deletes', `(env) => { env.A1 = 'a'; return [delete env.A1, 'A1' in env, env.A1 === undefined, delete env.A2]; }`],
    [
      'lists',
      `(env) => { env.A1 = 'a'; const names = []; for (const name in env) names.push(name); return [names.includes('A1'), Object.keys(env).includes('A1'), Object.entries(env).some(([name, value]) => name === 'A1' && value === 'a'), JSON.parse(JSON.stringify(env)).A1, { ...env }.A1]; }`,
    ],
    ['takes many at once', `(env) => { Object.assign(env, { A1: 1, A2: true }); return [env.A1, env.A2]; }`],
    ['describes a variable', `(env) => { env.A1 = 1; return Object.getOwnPropertyDescriptor(env, 'A1'); }`],
    [
      'is a prototype',
      `(env) => { env.A1 = 'a'; const own = Object.create(env); own.A2 = 2; return [own.A1, own.A2, 'A2' in env]; }`,
    ],
    [
      'takes whole definitions',
      `(env) => { Object.defineProperty(env, 'A1', { value: 1, writable: true, enumerable: true, configurable: true }); return env.A1; }`,
    ],
    [
      'refuses accessors',
      `(env) => Object.defineProperty(env, 'A1', { get: () => 'x', enumerable: true, configurable: true })`,
    ],
    [
      'refuses definitions of constants',
      `(env) => Object.defineProperty(env, 'A1', { value: 'x', writable: false, enumerable: true, configurable: true })`,
    ],
    ['cannot be frozen', `(env) => Object.freeze(env)`],
    ['refuses symbols in strict code', `(env) => { 'use strict'; env[Symbol('x')] = 1; }`],
  ])('%s', async (_, expression) => {
    expect(await emitted(expression)).toEqual({ got: ofNode(expression) });
  });
});

test('it has the variables of the process and no other', async () => {
  expect(
    await emitted(
      `(env) => [Object.keys(env).sort(), env.PD_COMPONENT, env.HOME === process.cwd(), env.TMPDIR === process.cwd(), env.HTTPS_PROXY]`,
    ),
  ).toEqual({
    got: [['HOME', 'HTTPS_PROXY', 'PD_COMPONENT', 'TMPDIR'], 'dc_test', true, true, 'http://proxy.invalid'],
  });
});

test('modules that Node reads it for see what a component sets', async () => {
  const code = source(
    `async run() { process.env.NO_COLOR = '1'; env.A1 = 2; this.$emit({ got: [require('tty').WriteStream.prototype.getColorDepth(), process.env.A1, env === process.env, require('process').env === env] }); }`,
    `import { env } from 'node:process'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
  );
  expect((await runner.run(code)).events).toEqual([{ got: [1, '2', true, true] }]);
});

test('a component may replace it', async () => {
  expect(await emitted(`() => { process.env = { A1: 'a' }; return process.env.A1; }`)).toEqual({ got: 'a' });
});

test('code caches are made, and those that are given are rejected', async () => {
  const code = source(
    `async run() {
      const made = new vm.Script('6 * 7', { produceCachedData: true });
      const again = new vm.Script('6 * 7', { cachedData: made.createCachedData() });
      const compiled = vm.compileFunction('return a + 1', ['a'], { cachedData: made.cachedData, filename: 'own.js' });
      this.$emit({ got: [made.cachedData.length > 0, again.cachedDataRejected, again.runInThisContext(), again instanceof vm.Script, new vm.Script('1').cachedDataRejected === undefined, compiled(1), compiled.cachedDataRejected, vm.compileFunction('return 3')()] });
    }`,
    `import vm from 'node:vm';`,
  );
  expect((await runner.run(code)).events).toEqual([{ got: [true, true, 42, true, true, 2, true, 3] }]);
});
