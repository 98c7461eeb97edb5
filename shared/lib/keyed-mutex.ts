/**
 * Runs work with the same key one after the other, within one process. `hasWaited` is true when earlier work was still
 * running.
 */
export class KeyedMutex<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  async run<T>(key: Key, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const result = this.#after(before, () => work(before !== undefined));
    this.#last.set(key, result);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === result) this.#last.delete(key);
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
    // The caller of the earlier work handles its failure.
    await before?.catch(() => undefined);
    return work();
  }
}
