import { build, type Metafile } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { type FunctionName, functionEntries, functionsBuilds } from '../../infra/bundle.ts';
import { leftOut } from '../../infra/slim/left-out.ts';
import { modulesLeftOut } from '../../infra/slim/modules.ts';
import { modulesReplaced } from '../../infra/slim/plugin.ts';
import { rewrites } from '../../infra/slim/rewrites.ts';
import { loadBundles } from '../support/load-bundles.ts';

/** Minified KB: of our own code with zod and middy, and of the whole bundle with the SDK inside (design.md, "Budgets"). */
const OWN = 130;
const WHOLE = 450;

let outputs: Metafile['outputs'];
let inputs: string[];

beforeAll(async () => {
  const built = await Promise.all(
    functionsBuilds('/bundles').map((options) =>
      build({ ...options, metafile: true, write: false } as const),
    ),
  );
  outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) as Metafile['outputs'];
  inputs = Object.keys(built[0]?.metafile.inputs ?? {});
});

const isOwn = (input: string) => /^(functions|shared)\/|node_modules\/(zod|@middy)\//.test(input);
const kb = (bytes: number) => Math.round(bytes / 1_000);

const names = Object.keys(functionEntries) as FunctionName[];

describe.each(names.map((name) => ({ name })))('the bundle of $name', ({ name }) => {
  const output = () =>
    Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.js`))?.[1] ??
    expect.fail('not bundled');

  test(`has at most ${WHOLE} KB`, () => {
    expect(kb(output().bytes)).toBeLessThanOrEqual(WHOLE);
  });

  test(`has at most ${OWN} KB of our own code, zod and middy`, () => {
    const bytes = Object.entries(output().inputs)
      .filter(([input]) => isOwn(input))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    expect(kb(bytes)).toBeLessThanOrEqual(OWN);
  });
});

test('every bundle loads with the environment that the template gives it', () => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(inject('assembly'), name), 'utf8'));
  const assembly = {
    template: z.record(z.string(), z.unknown()).parse(read('template.json')),
    assets: new Map(z.array(z.tuple([z.string(), z.string()])).parse(read('assets.json'))),
  };
  expect(
    loadBundles(assembly)
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...names].sort());
});

test('undici has no assertions of Node in any bundle, and what unpacks packages has some only beside the builder', () => {
  const bundles = Object.entries(outputs);
  const withUndici = bundles.filter(([, { inputs }]) =>
    Object.keys(inputs).some((input) => input.includes('node_modules/undici/lib/dispatcher/client-h1.js')),
  );
  expect(withUndici.length).toBeGreaterThan(3);
  for (const [path, { inputs }] of withUndici)
    expect(Object.keys(inputs), path).toContain('infra/slim/assertion.ts');
  const withNodes = bundles.filter(([, { imports }]) =>
    imports.some(({ path }) => /^(?:node:)?assert$/.test(path)),
  );
  expect(withNodes.map(([path]) => path).filter((path) => !path.endsWith('/builder/child.js'))).toEqual([]);
});

describe('what is left out of the bundles', () => {
  test('is still asked for, or has a rule too many', () => {
    const rules = [
      ...modulesLeftOut.flatMap(({ modules }) => modules.map((module) => `node_modules/${module}`)),
      ...modulesReplaced.map(({ gets }) => `infra/slim/${gets}`),
    ];
    expect(rules.filter((rule) => !inputs.includes(rule))).toEqual([]);
    const isThere = (pattern: RegExp) => inputs.some((input) => pattern.test(input));
    const patterns = rewrites.map(({ files }) => new RegExp(`^node_modules/(?:${files})$`));
    expect(patterns.filter((pattern) => !isThere(pattern))).toEqual([]);
  });

  test('says so when it is reached', () => {
    const absent: { (): unknown; new (): object; member: unknown } = leftOut('That');
    for (const reach of [
      () => absent(),
      () => new absent(),
      () => absent.member,
      () => (absent.member = 1),
      () => 'member' in absent,
      () => ({ ...absent }),
      () => class extends absent {},
      () => ({}) instanceof absent,
    ]) {
      expect(reach).toThrow("That is left out of the functions' bundles (infra/slim), and was reached");
    }
  });
});
