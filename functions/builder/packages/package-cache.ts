import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Limit of the shared package cache, and the share that is left after a cleanup. */
const LIMIT_BYTES = 1024 ** 3;
const TARGET_SHARE = 0.75;

async function contentOf(directory: string) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (!found) return undefined;
      const { size, atimeMs, mtimeMs } = found;
      return { path, bytes: size, usedAt: Math.max(atimeMs, mtimeMs), writtenAt: mtimeMs };
    });
  return (await Promise.all(files)).filter((file) => file !== undefined);
}

/** Removes all that was stored since a time. Other builds fetch their files again. */
export async function forgetSince(directory: string, since: number): Promise<void> {
  for (const { path, writtenAt } of await contentOf(join(directory, 'content-v2')))
    if (writtenAt >= since) await rm(path, { force: true });
}

/**
 * Removes the least recently used files. The cache is content-addressed and missing files are fetched again, so running
 * builds only become slower.
 */
export async function keepCacheBelow(directory: string, limitBytes = LIMIT_BYTES): Promise<void> {
  const content = await contentOf(join(directory, 'content-v2'));
  let bytes = content.reduce((sum, file) => sum + file.bytes, 0);
  if (bytes <= limitBytes) return;
  for (const file of content.sort((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= limitBytes * TARGET_SHARE) return;
    await rm(file.path, { force: true });
    bytes -= file.bytes;
  }
}
