import { afterNewestSum, FINER, largestOf, mergedInto } from '../../domain/metrics/adding-up.ts';
import { GRANULARITIES, type Granularity, startOfBucket } from '../../domain/metrics/granularity.ts';
import type { MetricSubject, Tally } from '../../domain/metrics/tally.ts';
import type { MetricStore } from '../../store/users/metrics.ts';

interface WantedTallies {
  granularity: Granularity;
  /** Starts of the first and the last bucket, epoch ms. */
  first: number;
  last: number;
}

/**
 * The tallies of a range, by the start of their buckets: the stored sums, and behind the newest of them the finer
 * buckets that are not added up yet. The sums are read first. A bucket that is added up meanwhile keeps its finer ones,
 * so it is neither missing nor counted twice.
 */
export async function readTallies(
  metrics: Pick<MetricStore, 'read'>,
  subject: MetricSubject,
  { granularity, first, last }: WantedTallies,
  now: number,
): Promise<ReadonlyMap<number, Tally>> {
  const stored = await metrics.read(subject, { granularity, first, last });
  const tallies = new Map(Array.from(stored, ([at, { tally }]) => [at, tally] as const));
  if (granularity === 'minute') return tallies;
  const finer = FINER[granularity];
  const { ms, keptMs } = GRANULARITIES[finer];
  const behind = {
    granularity: finer,
    first: Math.max(afterNewestSum(granularity, stored, first), startOfBucket(granularity, now - keptMs)),
    last: last + GRANULARITIES[granularity].ms - ms,
  };
  if (behind.last < behind.first) return tallies;
  for (const [at, tally] of mergedInto(granularity, await readTallies(metrics, subject, behind, now)))
    tallies.set(at, largestOf(tallies.get(at), tally));
  return tallies;
}
