/** A binary heap by time. Items that are due at the same time keep their order of insertion. */
export class DueQueue<T> {
  #heap: { at: number; order: number; item: T }[] = [];
  #pushed = 0;

  get size(): number {
    return this.#heap.length;
  }

  get nextAt(): number | undefined {
    return this.#heap[0]?.at;
  }

  push(at: number, item: T): void {
    this.#pushed += 1;
    this.#heap.push({ at, order: this.#pushed, item });
    let child = this.#heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isBefore(child, parent)) break;
      this.#swap(child, parent);
      child = parent;
    }
  }

  /** Removes all other items. */
  keepOnly(isKept: (item: T) => boolean): void {
    // A sorted array is a heap.
    this.#heap = this.#heap.filter(({ item }) => isKept(item)).sort((a, b) => a.at - b.at || a.order - b.order);
  }

  /** Removes the first item if it is due by then. */
  popDue(by: number): T | undefined {
    const first = this.#heap[0];
    if (!first || first.at > by) return undefined;
    const last = this.#heap.pop();
    if (last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first.item;
  }

  #sink(): void {
    for (let parent = 0; ;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2]) {
        if (child < this.#heap.length && this.#isBefore(child, least)) least = child;
      }
      if (least === parent) return;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [x, y] = [this.#heap[a], this.#heap[b]];
    return x !== undefined && y !== undefined && (x.at === y.at ? x.order < y.order : x.at < y.at);
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#heap[a], this.#heap[b]];
    if (x && y) [this.#heap[a], this.#heap[b]] = [y, x];
  }
}
