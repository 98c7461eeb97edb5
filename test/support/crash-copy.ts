import { cpSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Copies a disk's directory as `kill -9` at this moment would leave it, while it stays open. Nothing of this process writes meanwhile, for
 * the copy is made in one turn; LevelDB's own thread may replace a file of its own under it: then once more.
 */
export function crashCopy(directory: string, copy: string): void {
  for (let tries = 1; ; tries += 1) {
    rmSync(copy, { recursive: true, force: true });
    try {
      cpSync(directory, copy, { recursive: true, filter: (source) => basename(source) !== 'LOCK' });
      return;
    } catch (error) {
      const isReplaced = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isReplaced || tries === 20) throw error;
    }
  }
}
