import { chmod, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Processes } from '../../../shared/runtime/processes.ts';
import type { FunctionSpec } from './function-spec.ts';

/**
 * Folders of the code assets, of which those of functions for untrusted code are copies that every user of this machine
 * can read, outside of the data directory: processes of other users may not enter it, and no argument of an untrusted
 * process tells where it is.
 */
export async function publicCopies(
  assets: ReadonlyMap<string, string>,
  specs: readonly FunctionSpec[],
  processes: Pick<Processes, 'directory'> | undefined,
): Promise<ReadonlyMap<string, string>> {
  const copies = new Map(assets);
  for (const { assetKey, perTenant } of specs) {
    const folder = assets.get(assetKey);
    if (!perTenant || folder === undefined || !processes) continue;
    const copy = processes.directory('tributary-code-');
    await cp(folder, copy, { recursive: true });
    await makeReadable(copy);
    copies.set(assetKey, copy);
  }
  return copies;
}

async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else await chmod(path, 0o755);
  }
}
