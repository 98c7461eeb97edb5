/** Work after which the thread rests. */
const WORKED_MS = 4;

/**
 * Long work of one thread, in short steps. The steps of all work take turns. After a few ms of them the thread does
 * other work for as long as they took, so that they take at most half of its time.
 */
export class WorkSteps {
  #last = Promise.resolve();
  #workedMs = 0;

  /** Runs one step, after those that wait. */
  run<T>(step: () => T): Promise<T> {
    const result = this.#last.then(() => this.#time(step));
    this.#last = result.then(this.#rest, this.#rest);
    return result;
  }

  /** Does work in steps, each of which ends with a `yield`. */
  async finish<T>(begin: () => Generator<undefined, T, undefined>): Promise<T> {
    let work: Generator<undefined, T, undefined> | undefined;
    for (;;) {
      const { done, value } = await this.run(() => (work ??= begin()).next());
      if (done === true) return value;
    }
  }

  #time<T>(step: () => T): T {
    const startedAt = performance.now();
    try {
      return step();
    } finally {
      this.#workedMs += performance.now() - startedAt;
    }
  }

  readonly #rest = async (): Promise<void> => {
    const workedMs = this.#workedMs;
    if (workedMs < WORKED_MS) return;
    this.#workedMs = 0;
    await new Promise((resolve) => setTimeout(resolve, workedMs));
  };
}

/** Does all steps of work at once. */
export function finishNow<T>(work: Generator<undefined, T, undefined>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
