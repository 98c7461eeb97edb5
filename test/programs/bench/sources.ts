import { type Pipeline, startPipeline } from './pipeline.ts';
import { alternateRounds, medianOf, type RoundOptions, ratioOf } from './rounds.ts';

export interface SourcesRow {
  sources: number;
  eventsPerSecond: number;
  /** Ratio to the rate with one source: the median of the rounds. */
  'of one': string;
  'µs per event': number;
  'p50 ms': string;
  'p99 ms': string;
}

const TEXT = JSON.stringify('x'.repeat(100));
const LOAD = { connections: 32, underWay: 1_000 };
const WARM_UP_SECONDS = 8;

/**
 * The same load for one busy source and for many, each in a service of its own. Both are alive together, and their
 * rounds alternate.
 */
export async function busySources(
  many: number,
  rounds: Pick<RoundOptions, 'rounds' | 'seconds'>,
): Promise<SourcesRow[]> {
  const started: Pipeline[] = [];
  try {
    started.push(await startPipeline(), await startPipeline({ sources: many }));
    const options = { ...rounds, warmUpSeconds: WARM_UP_SECONDS, load: LOAD, text: TEXT };
    const measured = await alternateRounds(started, options);
    const [one = []] = measured;
    return measured.map((own, index) => ({
      sources: started[index]?.paths.length ?? 0,
      eventsPerSecond: Math.round(medianOf(own, 'eventsPerSecond')),
      'of one': ratioOf(own, one, 'eventsPerSecond').median.toFixed(2),
      'µs per event': Math.round(medianOf(own, 'processorUs')),
      'p50 ms': medianOf(own, 'p50Ms').toFixed(1),
      'p99 ms': medianOf(own, 'p99Ms').toFixed(1),
    }));
  } finally {
    for (const pipeline of started) await pipeline.stop();
  }
}
