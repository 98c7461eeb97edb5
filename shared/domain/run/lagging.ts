/** A source is lagging when a trigger waits for longer than this, in addition to the time limit of a run that may be in progress. */
export const LAGGING_AFTER_MS = 60_000;
/** Time for which a lagging source refuses triggers. */
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
