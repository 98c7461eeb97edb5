import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { checkoutAssembly } from '../../bin/assembly.ts';
import { builtAssemblyIn } from '../../bin/built-assembly.ts';
import { keepUsed } from '../../bin/keep-used.ts';
import type { Stage } from '../../infra/stage.ts';
import { cacheFolder } from './cache-folder.ts';
import { madeOnce } from '../../infra/packages/made-once.ts';

/**
 * Folder of the assembly of a stage, as a service has it in its data directory: made once for all runs with the same
 * sources.
 */
export async function cachedAssembly(stage: Stage): Promise<string> {
  const built = await checkoutAssembly();
  const name = createHash('sha256').update(JSON.stringify([basename(built), stage]));
  const folder = await madeOnce(join(cacheFolder('assembly'), name.digest('hex')), async (unfinished) => {
    await builtAssemblyIn(built)(stage, unfinished);
  });
  await keepUsed(folder);
  return folder;
}
