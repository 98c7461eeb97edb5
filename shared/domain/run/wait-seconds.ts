const LONGEST_WAIT_SECONDS = 300;

/** Time until a trigger that failed is tried again. */
export const waitSeconds = (attempts: number): number => Math.min(2 ** attempts, LONGEST_WAIT_SECONDS);
