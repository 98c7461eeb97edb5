import {
  afterNewestSum,
  FINER,
  firstUnfinished,
  largestOf,
  mergedInto,
  type SummedGranularity,
} from '../../domain/metrics/adding-up.ts';
import { GRANULARITIES, startOfBucket } from '../../domain/metrics/granularity.ts';
import type { MetricSubject } from '../../domain/metrics/tally.ts';
import type { MetricStore } from '../../store/users/metrics.ts';

export interface SumMetricsContext {
  metrics: Pick<MetricStore, 'read' | 'putSum'>;
  now(): number;
}

/**
 * Adds up the minutes of a source or webhook to its hours, and the hours to its days, from the newest sums on. Finished
 * minutes do not change, so a repetition, also at the same time, stores the same sums. Sums are stored in the order of
 * time: what a crash leaves out is behind the newest sum, where the next call begins.
 */
export async function sumMetrics(context: SumMetricsContext, subject: MetricSubject): Promise<void> {
  const now = context.now();
  for (const granularity of ['hour', 'day'] as const) await sumBuckets(context, subject, granularity, now);
}

async function sumBuckets(
  { metrics }: SumMetricsContext,
  subject: MetricSubject,
  granularity: SummedGranularity,
  now: number,
): Promise<void> {
  const finer = FINER[granularity];
  const first = startOfBucket(granularity, now - GRANULARITIES[finer].keptMs);
  const end = firstUnfinished(granularity, now);
  const stored = await metrics.read(subject, {
    granularity,
    first,
    last: end - GRANULARITIES[granularity].ms,
  });
  const parts = await metrics.read(subject, {
    granularity: finer,
    first: afterNewestSum(granularity, stored, first),
    last: end - GRANULARITIES[finer].ms,
    isConsistent: true,
  });
  const tallies = Array.from(parts, ([at, { tally }]) => [at, tally] as const);
  for (const [at, tally] of mergedInto(granularity, tallies))
    await metrics.putSum(subject, granularity, at, largestOf(stored.get(at)?.tally, tally));
}
