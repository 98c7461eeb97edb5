interface Watcher {
  readonly sort: string | undefined;
  readonly onChange: () => void;
}

/**
 * Tells of changed rows, once their writes are on disk. A table that is watched by nothing pays one comparison for each
 * write.
 */
export class ItemWatchers {
  readonly #watchers = new Map<string, Set<Watcher>>();
  #changed = new Set<Watcher>();

  /** Without a sort key, every row of the partition is watched. */
  add(partition: string, sort: string | undefined, onChange: () => void): () => void {
    const watcher = { sort, onChange };
    const known = this.#watchers.get(partition);
    if (known) known.add(watcher);
    else this.#watchers.set(partition, new Set([watcher]));
    return () => {
      const watchers = this.#watchers.get(partition);
      watchers?.delete(watcher);
      if (watchers?.size === 0) this.#watchers.delete(partition);
      this.#changed.delete(watcher);
    };
  }

  /** Notes a write that is not on disk yet. */
  note(partition: string, sort: string): void {
    if (this.#watchers.size === 0) return;
    for (const watcher of this.#watchers.get(partition) ?? [])
      if (watcher.sort === undefined || watcher.sort === sort) this.#changed.add(watcher);
  }

  /** Calls back for all noted writes. */
  tell(): void {
    if (this.#changed.size === 0) return;
    const changed = this.#changed;
    this.#changed = new Set();
    for (const { onChange } of changed) onChange();
  }
}
