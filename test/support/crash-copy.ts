import { cpSync, rmSync } from 'node:fs';
import { basename } from 'node:path';

/**
 * Copies the directory of an open disk as `kill -9` at this moment would leave it. The copy is synchronous, so nothing
 * of this process writes meanwhile. LevelDB's own thread may replace a file during the copy, which is then repeated.
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
