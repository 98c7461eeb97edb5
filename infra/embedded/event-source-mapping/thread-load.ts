/** The share of a window in which the event loop did not wait. */
const FULL = 0.9;
/** A second thread takes work from here on, until the share falls below the other. */
const BUSY = 0.75;
const QUIET = 0.4;
const WINDOW_MS = 50;

/** Tells whether this thread works all the time, or so much that other threads may help. */
export class ThreadLoad {
  #since = performance.eventLoopUtilization();
  #sinceMs = performance.now();
  #utilization = 0;
  #isBusy = false;

  /** Tells it of the last window of at least 50 ms. A window that began before a pause of the load counts the pause. */
  isFull(): boolean {
    const now = performance.now();
    if (now - this.#sinceMs >= WINDOW_MS) {
      const current = performance.eventLoopUtilization();
      this.#utilization = performance.eventLoopUtilization(current, this.#since).utilization;
      this.#since = current;
      this.#sinceMs = now;
    }
    return this.#utilization >= FULL;
  }

  /** The same, with a smaller share. */
  isBusy(): boolean {
    return (this.#isBusy = this.isFull() || this.#utilization >= (this.#isBusy ? QUIET : BUSY));
  }
}
