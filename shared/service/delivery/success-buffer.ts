import type { LoggedSuccess } from '../../store/delivery-log-item.ts';

interface SuccessBufferOptions {
  store(successes: readonly LoggedSuccess[], now: number): Promise<void>;
  now(): number;
}

/** A delivery is listed at the latest 2 s after its attempt ended, also when another attempt of the batch takes longer. */
const LONGEST_WAIT_MS = 1_000;

/** Collects the successes of one batch: one item of the log per webhook and batch. */
export class SuccessBuffer {
  readonly #options: SuccessBufferOptions;
  readonly #writes: Promise<void>[] = [];
  #waiting: LoggedSuccess[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SuccessBufferOptions) {
    this.#options = options;
  }

  add(success: LoggedSuccess): void {
    this.#waiting.push(success);
    this.#timer ??= setTimeout(() => {
      this.#flush();
    }, LONGEST_WAIT_MS);
  }

  /** Resolves when all successes are stored. */
  async end(): Promise<void> {
    this.#flush();
    await Promise.all(this.#writes);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const write = this.#options.store(this.#waiting, this.#options.now());
    // `end` reports a failure; until then the promise must not be unhandled.
    write.catch(() => undefined);
    this.#writes.push(write);
    this.#waiting = [];
  }
}
