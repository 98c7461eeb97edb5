/** Calls after the end of a job that are counted. Further ones are not: the number is a hint. */
export const MAX_LATE_COUNT = 1_000_000;
