import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Folders that were not used for this long are deleted. */
const UNUSED_MS = 24 * 3_600_000;

/** Marks a folder as used, and deletes those beside it that were not used for a day, such as those of killed builds. */
export async function keepUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now);
  for (const name of await readdir(dirname(folder))) {
    const other = join(dirname(folder), name);
    const found = await stat(other).catch(() => undefined);
    if (found && now.getTime() - found.mtimeMs > UNUSED_MS) await rm(other, { recursive: true, force: true });
  }
}
