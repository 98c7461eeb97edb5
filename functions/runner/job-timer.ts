interface Waiting {
  /** Milliseconds for which the output has waited for its reader since `restart`. */
  readonly waitedMs: number;
  restart(): void;
}

/** Timers may fire a little early. */
const TIMER_SLACK_MS = 5;

/**
 * Measures one job after the other, each against its limit. Time in which the output waits for its reader does not
 * count.
 */
export class JobTimer {
  readonly #output: Waiting;
  readonly #onTimeout: () => void;
  #startedAt = performance.now();
  #limitMs = Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(output: Waiting, onTimeout: () => void) {
    this.#output = output;
    this.#onTimeout = onTimeout;
  }

  start(limitMs: number): void {
    this.#startedAt = performance.now();
    this.#output.restart();
    this.#limitMs = limitMs;
    this.#schedule();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  get elapsedMs(): number {
    const elapsed = performance.now() - this.#startedAt - this.#output.waitedMs;
    return Math.round(elapsed * 1000) / 1000;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        if (this.elapsedMs >= this.#limitMs - TIMER_SLACK_MS) this.#onTimeout();
        else this.#schedule();
      },
      Math.max(this.#limitMs - this.elapsedMs, TIMER_SLACK_MS),
    );
  }
}
