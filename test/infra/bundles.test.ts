import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FunctionName, functionEntries, functionsBuilds } from '../../infra/bundle.ts';

/**
 * Minified KB: the whole bundle with the SDK inside, and of it our own code with zod and middy. design.md's budget is 450, and 650 for
 * `sources`; the clients of the bucket and of the runner (S3, Lambda) are 170 of those 200, and whoever uses them carries them as
 * `sources` does, and the client of the account key (KMS) is 30 more. The outgoing HTTP of the delivery functions (undici's agent and parser) is 250. docs/architecture.md says so.
 */
const SIZES: Record<FunctionName, { whole: number; own: number }> = {
  users: { whole: 450, own: 150 },
  subscriptions: { whole: 450, own: 150 },
  webhooks: { whole: 450, own: 150 },
  timers: { whole: 450, own: 130 },
  workflows: { whole: 550, own: 150 },
  components: { whole: 650, own: 160 },
  sources: { whole: 710, own: 195 },
  ingress: { whole: 710, own: 190 },
  'run-source': { whole: 710, own: 190 },
  'deliver-event': { whole: 800, own: 160 },
  'retry-delivery': { whole: 800, own: 160 },
  builder: { whole: 130, own: 130 },
  runner: { whole: 130, own: 130 },
};

let outputs: Metafile['outputs'];

beforeAll(async () => {
  const built = await Promise.all(
    functionsBuilds('/bundles').map((options) =>
      build({ ...options, metafile: true, write: false } as const),
    ),
  );
  outputs = Object.assign({}, ...built.map(({ metafile }) => metafile.outputs));
});

const isOwn = (input: string) => /^(functions|shared)\/|node_modules\/(zod|@middy)\//.test(input);
const kb = (bytes: number) => Math.round(bytes / 1_000);

describe.each(Object.entries(SIZES))('the bundle of %s', (name, { whole, own }) => {
  const output = () =>
    Object.entries(outputs).find(([path]) => path.endsWith(`/${name}/index.js`))?.[1] ??
    expect.fail('not bundled');

  test(`has at most ${whole} KB`, () => {
    expect(kb(output().bytes)).toBeLessThanOrEqual(whole);
  });

  test(`has at most ${own} KB of our own code, zod and middy`, () => {
    const bytes = Object.entries(output().inputs)
      .filter(([input]) => isOwn(input))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
    expect(kb(bytes)).toBeLessThanOrEqual(own);
  });
});

test('every function has a limit', () => {
  expect(Object.keys(SIZES).sort()).toEqual(Object.keys(functionEntries).sort());
});
