import { closedLoop, type Measured, quantile } from './closed-loop.ts';
import { type Pipeline, startPipeline } from './pipeline.ts';
import { allProcessorMs, residentMb } from './process-measurements.ts';

const KILOBYTES = [0.5, 8, 64, 300];
/** The sizes alternate, because the speed of a machine changes within minutes. */
const ROUNDS = 7;
const ROUND_SECONDS = 30;
const WARM_UP_SECONDS = 8;
/** Enough for full batches, and at 300 KB no more than the service keeps in memory. */
const LOAD = { connections: 16, underWay: 64 };

export interface EventSize {
  kilobytes: number;
  eventsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Processor time of the service and its runner processes per event, in ms: the median of the rounds. */
  processorMs: number;
  /** Cost per byte beyond the size of the row above: the median of the rounds. */
  nsPerFurtherByte?: number;
  residentMb: number;
}

interface Size {
  kilobytes: number;
  pipeline: Pipeline;
  rounds: (Measured & { processorMs: number })[];
}

/** HTTP in → user code → stored → signed webhook out, by the size of the event. */
export async function eventSizes(): Promise<EventSize[]> {
  const sizes: Size[] = [];
  try {
    for (const kilobytes of KILOBYTES) sizes.push({ kilobytes, pipeline: await startPipeline(), rounds: [] });
    for (const size of sizes) await measure(size, WARM_UP_SECONDS);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const size of sizes) size.rounds.push(await measure(size, ROUND_SECONDS));
    }
    return sizes.map((size, index) => measurementsOf(size, sizes[index - 1]));
  } finally {
    for (const { pipeline } of sizes) await pipeline.stop();
  }
}

async function measure({ kilobytes, pipeline }: Size, seconds: number): Promise<Size['rounds'][number]> {
  const text = JSON.stringify('x'.repeat(kilobytes * 1000));
  const before = allProcessorMs(pipeline.service);
  const measured = await closedLoop(pipeline, { ...LOAD, seconds, text });
  return { ...measured, processorMs: (allProcessorMs(pipeline.service) - before) / measured.events };
}

function measurementsOf({ kilobytes, pipeline, rounds }: Size, smaller: Size | undefined): EventSize {
  const sum = (of: (round: Measured) => number) => rounds.reduce((total, round) => total + of(round), 0);
  const latencies = Float64Array.from(rounds.flatMap((round) => [...round.latencies])).sort();
  const perByte = (ms: number, than: Size) => (ms * 1000) / (kilobytes - than.kilobytes);
  return {
    kilobytes,
    eventsPerSecond: Math.round(sum(({ events }) => events) / sum(({ seconds }) => seconds)),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    processorMs: median(
      rounds.map(({ processorMs }) => processorMs),
      100,
    ),
    ...(smaller && {
      nsPerFurtherByte: median(
        rounds.map(({ processorMs }, n) => perByte(processorMs - (smaller.rounds[n]?.processorMs ?? 0), smaller)),
        10,
      ),
    }),
    residentMb: residentMb(pipeline.service),
  };
}

/** Rounded to one part of `parts`. */
function median(values: readonly number[], parts: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * parts) / parts;
}
