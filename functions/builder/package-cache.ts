import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** What the shared cache of packages may hold, and what is left of that after a clearing. */
const LIMIT_BYTES = 1024 ** 3;
const LEFT = 0.75;

interface Kept {
  path: string;
  bytes: number;
  usedAt: number;
}

async function contentOf(directory: string): Promise<Kept[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const kept = entries
    .filter((entry) => entry.isFile())
    .map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      return found && { path, bytes: found.size, usedAt: Math.max(found.atimeMs, found.mtimeMs) };
    });
  return (await Promise.all(kept)).filter((one) => one !== undefined);
}

/**
 * Removes what was used longest ago. The cache is content-addressed: what it lacks is fetched again, so a build that is under way
 * loses nothing but time.
 */
export async function keepCacheBelow(directory: string, limitBytes = LIMIT_BYTES): Promise<void> {
  const content = await contentOf(join(directory, 'content-v2'));
  let bytes = content.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes <= limitBytes) return;
  for (const one of content.sort((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= limitBytes * LEFT) return;
    await rm(one.path, { force: true });
    bytes -= one.bytes;
  }
}
