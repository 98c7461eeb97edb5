/** The share of a window in which the event loop did not wait. */
const FULL = 0.9;
const WINDOW_MS = 50;

/** Tells whether this thread works all the time. */
export class ThreadLoad {
  #since = performance.eventLoopUtilization();
  #sinceMs = performance.now();
  #utilization = 0;

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
}
