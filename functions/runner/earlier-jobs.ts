/** Ids that are kept: more than one request has jobs. */
const MAX_JOBS = 100;

/** The last jobs that one child has ended. A line `late` may name each of them once. */
export class EarlierJobs {
  readonly #ids = new Set<string>();

  add(id: string): void {
    this.#ids.add(id);
    if (this.#ids.size <= MAX_JOBS) return;
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      break;
    }
  }

  /** Whether the job is one of them and was not taken before. */
  take(id: string): boolean {
    return this.#ids.delete(id);
  }
}
