/**
 * Counts of latencies by bucket, a sketch that merges by addition. The bounds of the buckets grow by 4 %, so a quantile
 * is at most 2 % above or below the exact one, from 1 ms up.
 */
export type LatencySketch = ReadonlyMap<number, number>;

const GROWTH = 1.04;
const LOG_GROWTH = Math.log(GROWTH);
/** 60 days: longer than any delivery is kept. */
const LARGEST_BUCKET = 572;

/** The bucket of a latency: bucket `n` holds those above `GROWTH ** (n - 1)` ms, up to `GROWTH ** n` ms. */
export function bucketOfLatency(ms: number): number {
  if (!(ms > 1)) return 0;
  return Math.min(Math.ceil(Math.log(ms) / LOG_GROWTH), LARGEST_BUCKET);
}

/** The latency that has the same relative distance from both bounds of the bucket, in ms. */
const latencyOfBucket = (bucket: number): number => (bucket === 0 ? 1 : (2 * GROWTH ** bucket) / (GROWTH + 1));

/** The latencies in ms that these shares of all counted ones do not exceed; 0 without counts. */
export function quantilesOf(sketch: LatencySketch, shares: readonly number[]): number[] {
  const sorted = [...sketch].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(share * total));
    let passed = 0;
    for (const [bucket, count] of sorted) {
      passed += count;
      if (passed >= rank) return Math.round(latencyOfBucket(bucket) * 10) / 10;
    }
    return 0;
  });
}
