/** SQS delays a message by at most 15 minutes. */
export const LONGEST_DELAY_SECONDS = 900;

/** Whole seconds from `now` until `at`, both epoch ms; 0 for a time in the past. */
export const secondsUntil = (at: number, now: number): number => Math.max(Math.ceil((at - now) / 1_000), 0);
