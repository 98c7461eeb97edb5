import * as z from 'zod';
import { GRANULARITIES, type MetricRange } from './granularity.ts';
import { quantilesOf } from './latency-sketch.ts';
import { COUNT, latencyBucketOf, STATUS_CLASSES, type StatusClass, type Tally } from './tally.ts';

export const Measure = z.enum(['runs', 'errors', 'events', 'attempts', 'deliveries', 'failures', 'latency']);
export type Measure = z.infer<typeof Measure>;

export const isOfSources = (measure: Measure): boolean =>
  measure === 'runs' || measure === 'errors' || measure === 'events';

interface ValueRow {
  /** Start of the bucket, epoch ms. */
  at: number;
  value: number;
  byStatus?: ReadonlyMap<StatusClass, number>;
}

interface LatencyRow {
  at: number;
  p50: number;
  p95: number;
  p99: number;
}

export type MetricRow = ValueRow | LatencyRow;

const NOTHING: Tally = new Map();

/** One row per bucket, oldest first; a bucket without a tally has zeros. */
export const metricRowsOf = (
  measure: Measure,
  { granularity, first, rows }: MetricRange,
  tallies: ReadonlyMap<number, Tally>,
): MetricRow[] =>
  Array.from({ length: rows }, (_, n) => {
    const at = first + n * GRANULARITIES[granularity].ms;
    return metricRow(measure, at, tallies.get(at) ?? NOTHING);
  });

function metricRow(measure: Measure, at: number, tally: Tally): MetricRow {
  switch (measure) {
    case 'runs':
    case 'errors':
    case 'events':
      return { at, value: tally.get(COUNT[measure]) ?? 0 };
    case 'attempts':
      return attemptRow(at, tally, ['deliveries', 'failures']);
    case 'deliveries':
    case 'failures':
      return attemptRow(at, tally, [measure]);
    case 'latency': {
      const latencies = [...tally].filter(([name]) => name.startsWith(COUNT.latency));
      const sketch = new Map(latencies.map(([name, count]) => [latencyBucketOf(name), count]));
      const [p50 = 0, p95 = 0, p99 = 0] = quantilesOf(sketch, [0.5, 0.95, 0.99]);
      return { at, p50, p95, p99 };
    }
  }
}

/** Attempts of some outcomes, by the class of their status. */
function attemptRow(at: number, tally: Tally, outcomes: readonly ('deliveries' | 'failures')[]): ValueRow {
  const countOf = (each: StatusClass): number =>
    outcomes.reduce((sum, outcome) => sum + (tally.get(COUNT[outcome] + each) ?? 0), 0);
  const counts = STATUS_CLASSES.map((each) => [each, countOf(each)] as const);
  const byStatus = new Map(counts.filter(([, count]) => count > 0));
  return { at, value: counts.reduce((sum, [, count]) => sum + count, 0), byStatus };
}
