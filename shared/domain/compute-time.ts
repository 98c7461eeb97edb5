/** Milliseconds that a run of `ms` counts: whole ones, at least 1 (decisions, "Users, keys, quotas"). */
export const computeTime = (ms: number): number => Math.max(Math.ceil(ms), 1);
