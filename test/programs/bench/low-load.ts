import { quantile } from './closed-loop.ts';
import { measuredAtRate } from './open-loop.ts';
import { startPipeline } from './pipeline.ts';

export interface LowLoadRow {
  'events/s': number;
  events: number;
  'p50 ms': number;
  'p99 ms': number;
  'p99.9 ms': number;
}

const TEXT = JSON.stringify('x'.repeat(100));
const WARM_UP_SECONDS = 20;

/** From the moment when a request is due to its delivery, while nearly nothing happens. */
export async function lowLoad({ rate, seconds }: { rate: number; seconds: number }): Promise<LowLoadRow> {
  const pipeline = await startPipeline();
  try {
    await measuredAtRate(pipeline, { rate, seconds: WARM_UP_SECONDS, text: TEXT });
    const { latencies } = await measuredAtRate(pipeline, { rate, seconds, text: TEXT });
    const [p50, p99, p999] = [0.5, 0.99, 0.999].map((share) => quantile(latencies, share));
    return {
      'events/s': rate,
      events: latencies.length,
      'p50 ms': p50 ?? 0,
      'p99 ms': p99 ?? 0,
      'p99.9 ms': p999 ?? 0,
    };
  } finally {
    await pipeline.stop();
  }
}
