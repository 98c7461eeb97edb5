import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { quantile } from './closed-loop.ts';
import { openLoop } from './open-loop.ts';
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
    await pass(WARM_UP_SECONDS);
    const latencies = await pass(seconds);
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

  async function pass(duration: number): Promise<Float64Array> {
    const latencies: number[] = [];
    pipeline.onDelivery = (dueAt, arrivedAt) => latencies.push(arrivedAt - dueAt);
    const load = openLoop(pipeline, rate, TEXT);
    await delay(duration * 1000);
    await load.stop();
    await until('everything is delivered', () => latencies.length >= load.due);
    return Float64Array.from(latencies).sort();
  }
}
