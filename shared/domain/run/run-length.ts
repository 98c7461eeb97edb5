import { HOUR_MS } from '../../lib/durations.ts';

/** A batch of runs that takes longer counts as one of its owner's concurrent runs. */
const LONG_MS = 1_000;

/** Whole hours since the epoch, until which a source counts as one with long runs; undefined until it has run. */
export type LongUntilHour = number | undefined;

/**
 * One long batch makes the next hour's batches count as well, so that a source cannot alternate between short and long
 * ones.
 */
export const longUntilHour = (before: LongUntilHour, ms: number, now: number): number =>
  ms >= LONG_MS ? Math.ceil(now / HOUR_MS) + 1 : (before ?? 0);

/** Whether the source's runs are known to be short. Nothing is known of a source that has not run. */
export const runsShortly = (until: LongUntilHour, now: number): boolean =>
  until !== undefined && until * HOUR_MS <= now;
