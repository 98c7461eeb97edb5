/** Work that is due on a clock of milliseconds. */
export class Agenda {
  readonly #due = new Map<number, (() => void)[]>();
  #now = 0;

  get now(): number {
    return this.#now;
  }

  after(ms: number, work: () => void): void {
    const at = this.#now + Math.max(1, Math.ceil(ms));
    const due = this.#due.get(at);
    if (due) due.push(work);
    else this.#due.set(at, [work]);
  }

  /**
   * Does what is due, and what it leads to, until `end`. Calls `idle` after each millisecond in which something was
   * done.
   */
  run(end: number, idle: () => void): void {
    for (; this.#now < end; this.#now += 1) {
      const due = this.#due.get(this.#now);
      if (!due && this.#now > 0) continue;
      this.#due.delete(this.#now);
      for (const work of due ?? []) work();
      idle();
    }
  }
}
