/** A source is lagging at the latest when a trigger waits for longer than this, in addition to the time limit of a run. */
export const LAGGING_AFTER_MS = 60_000;
/** The shortest wait after which a source is lagging, beyond its usual batches. */
const LEAST_WAIT_MS = 10_000;
/** Each shorter batch lets the usual length approach it by a tenth. */
const KEPT_SHARE = 0.9;
/** Shorter batches need no record. */
const SHORT_BATCH_MS = 1_000;

/** The usual length of a source's batches: that of the longest one, until shorter ones have followed. Undefined when it is short. */
export function usualBatchMs(before: number | undefined, ms: number): number | undefined {
  const usual = Math.max(ms, Math.round((before ?? 0) * KEPT_SHARE));
  return usual < SHORT_BATCH_MS ? undefined : usual;
}

/**
 * A source is lagging when a trigger waits for longer than this: for two batches, of which one was under way when the trigger came, and a
 * moment more. The queue looks for work only among its first 120,000 messages, so the triggers of a fast source must not wait for minutes.
 */
export const laggingAfterMs = (
  batchMs: number | undefined,
  { runTimeoutMs }: { runTimeoutMs: number },
): number => Math.min(LEAST_WAIT_MS + 2 * (batchMs ?? 0), runTimeoutMs + LAGGING_AFTER_MS);

/** Time for which a lagging source refuses triggers, in addition to its next batch, whose end decides again. */
export const REFUSAL_MS = 15_000;

const LONGEST_WAIT_SECONDS = 300;
/** Time until a trigger that was given back is received again. */
export const waitSeconds = (receiveCount: number): number =>
  Math.min(2 ** receiveCount, LONGEST_WAIT_SECONDS);

/** A source whose trigger was given back refuses others until that trigger has come back. */
export const refusalMs = (receiveCount: number): number => waitSeconds(receiveCount) * 1_000 + REFUSAL_MS;
const LONGEST_REFUSAL_MS = LONGEST_WAIT_SECONDS * 1_000 + REFUSAL_MS;

/** Remaining refusal time in ms; 0 for none. A clock that was set back does not make it longer. */
export function refusedForMs(until: number | undefined, now: number): number {
  const left = (until ?? 0) - now;
  return left > 0 && left <= LONGEST_REFUSAL_MS ? left : 0;
}
