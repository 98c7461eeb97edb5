import { MINUTE_MS } from '../../lib/durations.ts';
import { type Granularity, GRANULARITIES, startOfBucket } from './granularity.ts';
import { addTally, type Tally } from './tally.ts';

/** Events are counted in minutes only. Hours are added up from minutes, and days from hours, after they ended. */
export type SummedGranularity = Exclude<Granularity, 'minute'>;

/** The buckets that a longer one is added up from. */
export const FINER: Readonly<Record<SummedGranularity, Granularity>> = { hour: 'minute', day: 'hour' };

export interface Bucket {
  tally: Tally;
  /**
   * The bucket has all counts of its time. Earlier releases counted events in hours and days too; those of their items
   * may lack counts.
   */
  isSum: boolean;
}

/** An hour or day is added up when it ended this long ago. Its minutes have not changed for five minutes then. */
export const SUMMED_AFTER_MS = 30 * MINUTE_MS;
/** Time after the end of an hour in which counts are still added to its minutes. */
const OPEN_AFTER_MS = 25 * MINUTE_MS;

/** Start of the first bucket that is not over: the buckets before it can be added up. */
export const firstUnfinished = (granularity: SummedGranularity, now: number): number =>
  startOfBucket(granularity, now - SUMMED_AFTER_MS);

/**
 * The minute that takes a count at the time of its write. Hours that may have been added up do not change: counts that
 * come later than {@link OPEN_AFTER_MS} belong to the minute of the write.
 */
export const openMinute = (countedAt: number, now: number): number =>
  startOfBucket('minute', countedAt < startOfBucket('hour', now - OPEN_AFTER_MS) ? now : countedAt);

/**
 * Start of the time behind the newest sum, at least `first`. Buckets are added up in order, so those before a sum need
 * no finer ones.
 */
export function afterNewestSum(
  granularity: SummedGranularity,
  stored: ReadonlyMap<number, Bucket>,
  first: number,
): number {
  const sums = [...stored].filter(([, { isSum }]) => isSum).map(([at]) => at);
  return Math.max(first, ...sums.map((at) => at + GRANULARITIES[granularity].ms));
}

/** The tallies of finer buckets, merged into those of a granularity. */
export function mergedInto(
  granularity: SummedGranularity,
  finer: Iterable<readonly [number, Tally]>,
): Map<number, Tally> {
  const merged = new Map<number, Map<string, number>>();
  for (const [start, tally] of finer) {
    const at = startOfBucket(granularity, start);
    const bucket = merged.get(at) ?? new Map<string, number>();
    merged.set(at, bucket);
    addTally(bucket, tally);
  }
  return merged;
}

/**
 * The larger of two counts by name, for two tallies of one bucket that may each lack counts: the item of an earlier
 * release lacks those since the upgrade, and the finer buckets lack those that have expired.
 */
export function largestOf(one: Tally | undefined, other: Tally): Tally {
  const largest = new Map(one);
  for (const [name, count] of other) largest.set(name, Math.max(count, largest.get(name) ?? 0));
  return largest;
}
