import { build, type Metafile, type OutputFile } from 'esbuild';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FunctionName, functionEntries, functionsBuilds } from '../../infra/bundle.ts';
import { consoleBuild } from '../../infra/console-app.ts';
import { eventStreamSerdeProvider } from '../../infra/slim/event-streams.ts';
import { leftOut } from '../../infra/slim/left-out.ts';
import { replacing } from '../../infra/slim/plugin.ts';
import { replacements } from '../../infra/slim/replacements.ts';
import { testAssembly } from '../support/cloud.ts';
import { loadBundles } from '../support/load-bundles.ts';

/** Budget for the minified bundle of each function, in KB. */
const MAX_KB = 850;

/** SDK clients that a start may make: that of DynamoDB. */
const MAX_CLIENTS = 1;

let outputs: Metafile['outputs'];
let inputs: string[];
/** The bundles that the service runs itself. */
let ownBundles: OutputFile[];

beforeAll(async () => {
  const built = await Promise.all(
    functionsBuilds('/bundles').map((options) => build({ ...options, metafile: true, write: false } as const)),
  );
  outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs)) as Metafile['outputs'];
  inputs = Object.keys(built[0]?.metafile.inputs ?? {});
  ownBundles = built[0]?.outputFiles ?? [];
});

const names = Object.keys(functionEntries) as FunctionName[];

test.each(names)(`the bundle of %s has at most ${MAX_KB} KB`, (name) => {
  const [, output] =
    Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.js`)) ?? expect.fail('not bundled');
  expect(output.bytes / 1_000).toBeLessThanOrEqual(MAX_KB);
});

test('the program that every component starts with has at most 62 KB, and no package in it', () => {
  const [, output] =
    Object.entries(outputs).find(([path]) => path.endsWith('/runner/child.js')) ?? expect.fail('not bundled');
  expect(Object.keys(output.inputs).filter((input) => input.includes('node_modules'))).toEqual([]);
  expect(output.bytes / 1_000).toBeLessThanOrEqual(62);
});

test('the prelude of a component has at most 4 KB, and imports only path, URL, files, system and vm', () => {
  const [, { bytes, imports, inputs }] =
    Object.entries(outputs).find(([path]) => path.endsWith('/builder/prelude.js')) ?? expect.fail('not bundled');
  expect(bytes).toBeLessThanOrEqual(4_000);
  expect(Object.keys(inputs).filter((input) => input.includes('node_modules'))).toEqual([]);
  expect(imports.map(({ path }) => path).sort()).toEqual(
    ['fs', 'os', 'path', 'url', 'vm'].map((name) => `node:${name}`),
  );
});

test('every bundle loads with the environment that the template gives it', () => {
  const loaded = loadBundles(testAssembly());
  // Two functions have the bundle of live streams.
  expect([...new Set(loaded.map(({ name }) => name))].sort()).toEqual([...names].sort());
  const eager = loaded.filter(({ clients }) => clients > MAX_CLIENTS);
  expect(eager, 'a start makes the client of the table, and no other').toEqual([]);
});

test('no bundle that the service runs itself imports at run time: with a kept compiled form that fails', () => {
  expect(ownBundles.length).toBeGreaterThanOrEqual(names.length - 1);
  const importing = ownBundles.filter(({ text }) => /\bimport\(/.test(text)).map(({ path }) => path);
  expect(importing).toEqual([]);
});

test('a module that a function imports later is a file beside its bundle, and no part of it', () => {
  const later = Object.entries(outputs).flatMap(([path, { inputs, imports }]) =>
    imports
      .filter((imported) => imported.external && imported.path.startsWith('.'))
      .map((imported) => ({ by: basename(dirname(path)), inputs, file: join(dirname(path), imported.path) })),
  );
  const expected = {
    'arborist.js': { of: ['builder'], has: 'node_modules/@npmcli/arborist/' },
    'deliver-http.js': { of: ['webhooks'], has: 'node_modules/undici/' },
    'docs.js': { of: ['users'], has: 'shared/http/responses.ts' },
    'open-bucket.js': {
      of: ['components', 'deliver-event', 'ingress', 'live', 'retry-delivery', 'sources', 'webhooks', 'workflows'],
      has: 'node_modules/@aws-sdk/client-s3/',
    },
  };
  for (const [name, { of, has }] of Object.entries(expected)) {
    const files = later.filter(({ file }) => basename(file) === name);
    expect(files.map(({ by }) => by).sort(), name).toEqual(of);
    for (const { file, inputs } of files) {
      const own = Object.keys(outputs[file]?.inputs ?? expect.fail(`${file} is not built`));
      expect(own.some((input) => input.startsWith(has))).toBe(true);
      expect(Object.keys(inputs).filter((input) => input.startsWith(has))).toEqual([]);
    }
  }
  expect(later.map(({ file }) => basename(file)).filter((name) => !Object.hasOwn(expected, name))).toEqual([]);
});

/** Bundles with code of a file. */
const having = (file: string) =>
  Object.entries(outputs)
    .filter(([, { inputs }]) => (inputs[file]?.bytesInOutput ?? 0) > 0)
    .map(([path]) =>
      path
        .split('/')
        .slice(-2)
        .join('/')
        .replace(/\/index\.js$/, ''),
    );

test('the console shows the descriptions of settings without their schemas: no script of it has zod', async () => {
  const { metafile } = await build({ ...consoleBuild('/console'), write: false });
  const found = Object.keys(metafile?.inputs ?? {});
  expect(found).toContain('shared/domain/setting-texts.ts');
  expect(found.filter((input) => input.includes('node_modules/zod/'))).toEqual([]);
});

describe('a start makes schemas that the function uses: those', () => {
  test('of responses are in the file with the OpenAPI document', () => {
    expect(having('shared/http/responses.ts')).toEqual(['users/docs.js']);
  });

  test('of the requests to the runner are in functions that run components or describe them', () => {
    for (const name of ['subscriptions', 'workflows', 'webhooks', 'deliver-event', 'retry-delivery', 'jobs'])
      expect(having('shared/domain/run/run.ts')).not.toContain(name);
  });

  test('of messages are in functions that receive or send them', () => {
    for (const name of ['subscriptions', 'workflows', 'components', 'ingress'])
      expect(having('shared/domain/run/message.ts')).not.toContain(name);
  });
});

test("no bundle has Node's assertions in undici; only npm's installer has some, in its package unpacker", () => {
  const bundles = Object.entries(outputs);
  const withUndici = bundles.filter(([, { inputs }]) =>
    Object.keys(inputs).some((input) => input.includes('node_modules/undici/lib/dispatcher/client-h1.js')),
  );
  expect(withUndici.length).toBeGreaterThan(3);
  for (const [path, { inputs }] of withUndici) expect(Object.keys(inputs), path).toContain('infra/slim/assertion.ts');
  const withNodes = bundles.filter(([, { imports }]) => imports.some(({ path }) => /^(?:node:)?assert$/.test(path)));
  expect(withNodes.map(([path]) => path).filter((path) => !path.endsWith('/builder/arborist.js'))).toEqual([]);
});

describe('replaced modules', () => {
  test('are modules that the packages still import', () => {
    const expected = [
      ...replacements.map(({ module }) => `node_modules/${module}`),
      'infra/slim/event-streams.ts',
      'infra/slim/lambda-event-streams.ts',
    ];
    expect(expected.filter((input) => !inputs.includes(input))).toEqual([]);
  });

  test('fail the build with a sentence when the package no longer has them', async () => {
    const plugins = [replacing([{ module: 'undici/lib/no-more.js', by: 'undici.ts' }])];
    const built = build({ stdin: { contents: '' }, write: false, logLevel: 'silent', plugins });
    await expect(built).rejects.toThrow('infra/slim/undici.ts replaces undici/lib/no-more.js, which does not exist');
  });

  test('leave event streams to bundles with the Lambda client', () => {
    expect(() => eventStreamSerdeProvider({} as never)).toThrow('without the Lambda client');
  });

  test('throw an error with their name when they are used', () => {
    const absent: { (): unknown; new (): object; member: unknown } = leftOut('That');
    for (const use of [
      () => absent(),
      () => new absent(),
      () => absent.member,
      () => (absent.member = 1),
      () => 'member' in absent,
      () => ({ ...absent }),
      () => class extends absent {},
      () => ({}) instanceof absent,
    ]) {
      expect(use).toThrow("That is left out of the functions' bundles (infra/slim), and was reached");
    }
  });
});
