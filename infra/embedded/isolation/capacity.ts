import { totalmem } from 'node:os';

const MB = 1024 * 1024;
/** Memory of a process that runs an ordinary component. Its own limit is several times as high. */
const PROCESS_MB = 128;
const LONGEST_WAIT_MS = 5000;

/** Untrusted processes take at most half of the memory of this machine or of its container. */
export function processLimit(memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity)): number {
  return Math.max(8, Math.floor(memoryBytes / 2 / MB / PROCESS_MB));
}

/** Limits the untrusted processes of this machine. A start beyond the limit ends an idle process, or waits. */
export class Capacity {
  readonly #limit: number;
  readonly #waitMs: number;
  #running = 0;
  /** Oldest first. */
  readonly #waiting = new Set<() => void>();
  readonly #endIdle: (() => boolean)[] = [];

  constructor(limit = processLimit(), waitMs = LONGEST_WAIT_MS) {
    this.#limit = limit;
    this.#waitMs = waitMs;
  }

  /** `endIdle` ends an idle process and returns true, or returns false if there is none. */
  onShortage(endIdle: () => boolean): void {
    this.#endIdle.push(endIdle);
  }

  /** Resolves when a process may start. Rejects when none may within five seconds. */
  take(): Promise<void> {
    if (this.#running < this.#limit) {
      this.#running += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(late);
        this.#waiting.delete(start);
        resolve();
      };
      const late = setTimeout(() => {
        this.#waiting.delete(start);
        reject(new Error(`This machine already runs ${this.#limit} processes of components.`));
      }, this.#waitMs);
      this.#waiting.add(start);
      this.#endIdle.some((endIdle) => endIdle());
    });
  }

  /** A process has ended. */
  release(): void {
    const [next] = this.#waiting;
    // A waiting start takes over the permit.
    if (next) next();
    else this.#running -= 1;
  }
}
