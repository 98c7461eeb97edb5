import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { closedLoop, quantile } from './closed-loop.ts';
import { openLoop } from './open-loop.ts';
import { type Pipeline, startPipeline } from './pipeline.ts';
import { anonymousMb, processorMs, residentMb } from './process-measurements.ts';
import { type Minute, checkPromises, type SoakPromise } from './soak-promises.ts';
import { startYardstick } from './yardstick.ts';

export interface SoakOptions {
  minutes?: number;
  /** Events per second; without it {@link SHARE} of what a closed loop reaches first. */
  rate?: number | undefined;
  nodeArguments?: readonly string[];
  /** Told when the service is there and after each minute. */
  onStart?: (pipeline: Pipeline) => void;
  onMinute?: (minute: Minute & Record<string, unknown>) => void;
}

/** Share of the machine's throughput. */
const SHARE = 0.7;
const CALIBRATION_SECONDS = 30;
const SOURCES = 4;
const TEXT = JSON.stringify('x'.repeat(100));
const MINUTE_MS = 60_000;

/** A steady load for minutes, which shows leaks and slow structures that seconds do not show. */
export async function soak(options: SoakOptions = {}): Promise<{ offered: number; promises: SoakPromise[] }> {
  const { minutes: count = 3, nodeArguments = [], onStart, onMinute } = options;
  const pipeline = await startPipeline({ sources: SOURCES, nodeArguments });
  try {
    onStart?.(pipeline);
    const offered = options.rate ?? (await seventyPercent(pipeline));
    const minutes = await steady(pipeline, { offered, count, onMinute });
    return { offered, promises: checkPromises(minutes, offered) };
  } finally {
    await pipeline.stop();
  }
}

/** Measures the throughput first. This load precedes the first minute. */
async function seventyPercent(pipeline: Pipeline): Promise<number> {
  const { events, seconds } = await closedLoop(pipeline, { seconds: CALIBRATION_SECONDS, text: TEXT });
  return Math.round((events / seconds) * SHARE);
}

interface Steady {
  offered: number;
  count: number;
  onMinute: SoakOptions['onMinute'];
}

async function steady(pipeline: Pipeline, { offered, count, onMinute }: Steady): Promise<Minute[]> {
  let latencies: number[] = [];
  let delivered = 0;
  let refusedBefore = 0;
  pipeline.onDelivery = (dueAt, arrivedAt) => {
    delivered += 1;
    latencies.push(arrivedAt - dueAt);
  };
  const startedAt = Date.now();
  let processorBefore = processorMs(pipeline.service);
  const load = openLoop(pipeline, offered, TEXT);
  const yardstick = startYardstick();
  const minutes: Minute[] = [];
  for (let minute = 1; minute <= count; minute += 1) {
    await pause(startedAt + minute * MINUTE_MS - Date.now());
    const sorted = Float64Array.from(latencies).sort();
    latencies = [];
    const refused = [...load.refused.values()].reduce((sum, one) => sum + one, 0);
    const processor = processorMs(pipeline.service);
    const measurements = {
      minute,
      rate: Math.round(sorted.length / 60),
      p50Ms: quantile(sorted, 0.5),
      p99Ms: quantile(sorted, 0.99),
      backlog: load.due - refused - delivered,
      refused: refused - refusedBefore,
      residentMb: residentMb(pipeline.service),
      cores: Math.round((processor - processorBefore) / 600) / 100,
      yardstickUs: yardstick.takeUs(),
    };
    minutes.push(measurements);
    onMinute?.({ ...measurements, anonymousMb: anonymousMb(pipeline.service) });
    processorBefore = processor;
    refusedBefore = refused;
  }
  yardstick.stop();
  await load.stop();
  await until('everything is delivered', () => load.due - refusedBefore - delivered <= 0, {
    withinMs: 120_000,
  }).catch(() => undefined);
  return minutes;
}
