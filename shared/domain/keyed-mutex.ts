/** Has what concerns one thing done one after the other, within this instance; `hasWaited` tells that another was at work before. */
export class KeyedMutex<Key> {
  readonly #last = new Map<Key, Promise<unknown>>();

  async run<T>(key: Key, work: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = this.#after(before, () => work(before !== undefined));
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }

  async #after<T>(before: Promise<unknown> | undefined, work: () => Promise<T>): Promise<T> {
    // Whoever had that turn is told of its failure.
    await before?.catch(() => undefined);
    return work();
  }
}
