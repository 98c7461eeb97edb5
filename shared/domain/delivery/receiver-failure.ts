import { DAY_MS, MINUTE_MS } from '../../lib/durations.ts';

/** A receiver that fails for this long gets no further attempt. */
export const LONGEST_FAILURE_MS = 5 * DAY_MS;

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 10 * MINUTE_MS;

/**
 * Pause before the attempt with this number at a receiver that fails, from 1: 10 s, then twice the time, up to 10 min.
 */
export const pauseBefore = (attempt: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, 30), LONGEST_PAUSE_MS);

/** The same pause by the time since the first failure: each pause is as long as all before it and the first one. */
export const pauseAfter = (failingMs: number): number => Math.min(failingMs + FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
