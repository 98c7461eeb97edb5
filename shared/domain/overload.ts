/** How long the doors of an emitter that is far behind stay shut before they are tried again. */
export const REFUSAL_MS = 15_000;

/** For how much longer they are shut, in ms: 0 when they are open. A clock that was set back does not keep them shut for longer. */
export function refusedForMs(until: number | undefined, now: number): number {
  const left = (until ?? 0) - now;
  return left > 0 && left <= REFUSAL_MS ? left : 0;
}
