/** An instance writes one line in this time, so that metrics cost no line per event. */
export const METRICS_INTERVAL_MS = 10_000;

interface IntervalOptions {
  now(): number;
  /** Calls back after this time. */
  later(work: () => void, ms: number): void;
}

/**
 * Call the result after each change. The first change is written at once: AWS freezes an idle instance, and alarms must
 * not wait for its next invocation. The changes of the next ten seconds are written together.
 */
export function intervalWriter({ now, later }: IntervalOptions, write: () => void): () => void {
  let writtenAt = -Infinity;
  let isWaiting = false;
  let isWritten = true;

  function flush(): void {
    isWritten = true;
    writtenAt = now();
    write();
  }

  return () => {
    isWritten = false;
    const waitMs = writtenAt + METRICS_INTERVAL_MS - now();
    // A clock that was set back makes no longer wait.
    if (waitMs <= 0 || waitMs > METRICS_INTERVAL_MS) {
      flush();
      return;
    }
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      if (!isWritten) flush();
    }, waitMs);
  };
}
