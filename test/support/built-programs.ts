import { accessSync, constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { keepUsed } from '../../bin/keep-used.ts';
import { sourceKey } from '../../bin/source-key.mjs';
import { madeOnce } from '../../infra/packages/made-once.ts';
import { cacheFolder } from './cache-folder.ts';

/** Another user than that of the checkout may not write to its cache. */
function folderFor(name: string): string {
  const folder = cacheFolder(name);
  try {
    accessSync(dirname(dirname(folder)), constants.W_OK);
    return folder;
  } catch {
    return join(tmpdir(), name);
  }
}

/** The folder of bundled programs, which are built once for each state of the sources. */
export async function builtPrograms(name: string, entryPoints: Record<string, string>): Promise<string> {
  const key = sourceKey(['functions', 'shared', 'test/support']);
  const folder = await madeOnce(join(folderFor(name), key), async (outdir) => {
    await build({
      entryPoints,
      outdir,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format: 'cjs',
      minify: true,
      legalComments: 'none',
      logLevel: 'error',
      mainFields: ['module', 'main'],
      external: ['esbuild', 'node-gyp'],
    });
  });
  await keepUsed(folder);
  return folder;
}
