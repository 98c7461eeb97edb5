/** Compute time of a run in whole ms, at least 1. */
export const computeTime = (ms: number): number => Math.max(Math.ceil(ms), 1);
