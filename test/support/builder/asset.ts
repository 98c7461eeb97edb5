import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { keepUsed } from '../../../bin/keep-used.ts';
import { sourceKey } from '../../../bin/source-key.mjs';
import { madeOnce } from '../../../infra/packages/made-once.ts';
import { cacheFolder } from '../cache-folder.ts';

/** Small stand-ins of the modules that components import; the real ones have tests of their own. */
const platform = `
import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
const { EOL } = require('os');
export const lineEnd = () => EOL;
export const axios = async () => ({});
export class ConfigurationError extends Error {}
export const DEFAULT_POLLING_SOURCE_TIMER_INTERVAL = 900;
`;
const types = `
export const defineSource = (source) => source;
export const defineApp = (app) => app;
`;

/** The programs of the builder, built once for each state of the sources. */
async function builtPrograms(): Promise<string> {
  const key = sourceKey(['functions', 'shared', 'test/support/builder']);
  const folder = await madeOnce(join(cacheFolder('builder-programs'), key), async (outdir) => {
    await build({
      entryPoints: {
        index: 'functions/builder/index.ts',
        child: 'functions/builder/child.ts',
        prelude: 'functions/builder/prelude/prelude.ts',
      },
      outdir,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      minify: true,
      legalComments: 'none',
      logLevel: 'silent',
      mainFields: ['module', 'main'],
      external: ['esbuild', 'node-gyp'],
    });
  });
  await keepUsed(folder);
  return folder;
}

/** The builder's folder as it is deployed, in a directory of its own. */
export async function builderAsset(): Promise<{ root: string; remove: () => void }> {
  const root = await mkdtemp(join(tmpdir(), 'builder-asset-'));
  await cp(await builtPrograms(), root, { recursive: true });
  writeFileSync(join(root, 'platform.mjs'), platform);
  writeFileSync(join(root, 'types.mjs'), types);
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['esbuild', '@esbuild'])
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name), 'dir');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
