import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { assemblyKeyOf, assemblyOf } from '../../bin/assembly.ts';
import type { Stage } from '../../infra/stage.ts';
import { cacheFolder } from './cache-folder.ts';
import { madeOnce } from '../../infra/packages/made-once.ts';

/** Assemblies that no run used for this long are deleted. */
const UNUSED_MS = 24 * 3_600_000;

/** Folder of the assembly of a stage, as `assemblyOf` makes it: made once for all runs with the same sources. */
export async function cachedAssembly(stage: Stage): Promise<string> {
  const cache = cacheFolder('assembly');
  const folder = await madeOnce(join(cache, await assemblyKeyOf(stage)), async (folder) => {
    await assemblyOf(stage, folder);
  });
  await utimes(folder, new Date(), new Date());
  await deleteUnused(cache);
  return folder;
}

async function deleteUnused(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const folder = join(cache, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > UNUSED_MS) await rm(folder, { recursive: true, force: true });
  }
}
