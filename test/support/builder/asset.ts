import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { builtPrograms } from '../built-programs.ts';

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

/** The builder's folder as it is deployed, in a directory of its own. */
export async function builderAsset(): Promise<{ root: string; remove: () => void }> {
  const root = await mkdtemp(join(tmpdir(), 'builder-asset-'));
  const programs = await builtPrograms('builder-programs', {
    index: 'functions/builder/index.ts',
    child: 'functions/builder/child.ts',
    prelude: 'functions/builder/prelude/prelude.ts',
  });
  await cp(programs, root, { recursive: true });
  writeFileSync(join(root, 'platform.mjs'), platform);
  writeFileSync(join(root, 'types.mjs'), types);
  mkdirSync(join(root, 'node_modules'));
  for (const name of ['esbuild', '@esbuild'])
    symlinkSync(resolve('node_modules', name), join(root, 'node_modules', name), 'dir');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
