import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Editors write a file in several steps. */
const SETTLE_MS = 15;

export interface FileWatch {
  /** Replaces the files. With `isAnyFile` every file of their folders counts: a missing import may appear. */
  watch(paths: readonly string[], options: { isAnyFile: boolean }): void;
  close(): void;
}

/** Watches folders, because editors replace files instead of writing them. */
export function watchFiles(paths: readonly string[], onChange: () => void): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let files = new Set<string>();
  let isAnyFile = false;
  let timer: NodeJS.Timeout | undefined;

  function changed(path: string | undefined): void {
    if (path !== undefined && !isAnyFile && !files.has(path)) return;
    clearTimeout(timer);
    timer = setTimeout(onChange, SETTLE_MS);
  }

  function replace(next: readonly string[], options: { isAnyFile: boolean }): void {
    files = new Set(next);
    ({ isAnyFile } = options);
    const folders = new Set(next.map((path) => dirname(path)));
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, (_, name) => {
        changed(name === null ? undefined : join(folder, name));
      });
      // A removed folder: its files are missing from the next save on.
      watcher.on('error', () => watchers.delete(folder));
      watchers.set(folder, watcher);
    }
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
  }

  replace(paths, { isAnyFile: false });
  return {
    watch: replace,
    close() {
      clearTimeout(timer);
      for (const watcher of watchers.values()) watcher.close();
    },
  };
}
