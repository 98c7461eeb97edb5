import { closedLoop, quantile } from './closed-loop.ts';
import { startPipeline } from './pipeline.ts';
import { processorMs, residentMb } from './process-measurements.ts';

/** Shorter rounds do not see what collects: garbage, files to compact, deduplication ids. */
const ROUND_SECONDS = 30;
const WARM_UP_SECONDS = 8;
/** As many as the service makes in some seconds. */
const MAX_DELIVERIES_UNDER_WAY = 10_000;
const TEXT = JSON.stringify('x'.repeat(100));

export interface Throughput {
  sources: number;
  webhooks: number;
  events: number;
  eventsPerSecond: number;
  deliveriesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the service's own process per event, in µs: says more than seconds on a busy machine. */
  processorUs: number;
  residentMb: number;
}

/** HTTP in → user code → stored → signed webhook out: from the first request until the last delivery has arrived. */
export async function throughput({
  sources = 1,
  webhooks = 1,
  seconds = ROUND_SECONDS,
  warmUpSeconds = WARM_UP_SECONDS,
  nodeArguments = [] as string[],
}): Promise<Throughput> {
  const pipeline = await startPipeline({ sources, webhooks, nodeArguments });
  const underWay = Math.ceil(MAX_DELIVERIES_UNDER_WAY / Math.max(webhooks, 10));
  try {
    await closedLoop(pipeline, { seconds: warmUpSeconds, text: TEXT, underWay });
    const before = processorMs(pipeline.service);
    const {
      events,
      seconds: took,
      latencies,
    } = await closedLoop(pipeline, {
      seconds,
      text: TEXT,
      underWay,
    });
    return {
      sources,
      webhooks,
      events,
      eventsPerSecond: Math.round(events / took),
      deliveriesPerSecond: Math.round((events * webhooks) / took),
      p50Ms: quantile(latencies, 0.5),
      p99Ms: quantile(latencies, 0.99),
      processorUs: Math.round(((processorMs(pipeline.service) - before) * 1000) / events),
      residentMb: residentMb(pipeline.service),
    };
  } finally {
    await pipeline.stop();
  }
}
