/** Time for which an overloaded source refuses triggers. */
export const REFUSAL_MS = 15_000;

/** Remaining refusal time in ms; 0 for none. A clock that was set back does not make it longer. */
export function refusedForMs(until: number | undefined, now: number): number {
  const left = (until ?? 0) - now;
  return left > 0 && left <= REFUSAL_MS ? left : 0;
}
