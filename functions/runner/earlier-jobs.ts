/** Ids that are kept: more than one request has jobs. */
const MAX_JOBS = 100;

/** The last jobs that one child has ended. A line `late` may name each of them once. */
export class EarlierJobs {
  readonly #ids: string[] = [];
  #next = 0;

  add(id: string): void {
    this.#ids[this.#next] = id;
    this.#next = (this.#next + 1) % MAX_JOBS;
  }

  /** Whether the job is one of them and was not taken before. */
  take(id: string): boolean {
    const at = id === '' ? -1 : this.#ids.indexOf(id);
    if (at >= 0) this.#ids[at] = '';
    return at >= 0;
  }
}
