import { closedLoop, quantile } from './closed-loop.ts';
import { startPipeline } from './pipeline.ts';
import { allProcessorMs, residentMb } from './process-measurements.ts';

const KILOBYTES = [0.5, 8, 64, 300];
const ROUND_SECONDS = 30;
const WARM_UP_SECONDS = 8;
/** Enough for full batches, and at 300 KB no more than the service keeps in memory. */
const LOAD = { connections: 16, underWay: 64 };

export interface EventSize {
  kilobytes: number;
  eventsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the service and its runner processes per event, in ms. */
  processorMs: number;
  /** Cost per byte beyond the size of the row above. */
  nsPerFurtherByte?: number;
  residentMb: number;
}

/** HTTP in → user code → stored → signed webhook out, by the size of the event. */
export async function eventSizes({ seconds = ROUND_SECONDS, sizes = KILOBYTES } = {}): Promise<EventSize[]> {
  const rows: EventSize[] = [];
  for (const kilobytes of sizes) {
    const pipeline = await startPipeline();
    try {
      const text = JSON.stringify('x'.repeat(kilobytes * 1000));
      await closedLoop(pipeline, { ...LOAD, seconds: WARM_UP_SECONDS, text });
      const before = allProcessorMs(pipeline.service);
      const measured = await closedLoop(pipeline, { ...LOAD, seconds, text });
      const used = (allProcessorMs(pipeline.service) - before) / measured.events;
      const smaller = rows.at(-1);
      rows.push({
        kilobytes,
        eventsPerSecond: Math.round(measured.events / measured.seconds),
        p50Ms: quantile(measured.latencies, 0.5),
        p99Ms: quantile(measured.latencies, 0.99),
        processorMs: Math.round(used * 100) / 100,
        ...(smaller && {
          nsPerFurtherByte: Math.round(
            ((used - smaller.processorMs) * 1e6) / ((kilobytes - smaller.kilobytes) * 1000),
          ),
        }),
        residentMb: residentMb(pipeline.service),
      });
    } finally {
      await pipeline.stop();
    }
  }
  return rows;
}
