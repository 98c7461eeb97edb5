import { type Pipeline, startPipeline } from '../pipeline.ts';
import { residentMb } from '../process-measurements.ts';
import { alternateRounds, medianOf, type Ratio, ratioOf, type Round } from '../rounds.ts';
import { otherVersion } from './other-version.ts';

export interface PairsOptions {
  /** See {@link otherVersion}. */
  readonly against: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Events per second. By default as many as each version takes. */
  readonly rate?: number | undefined;
}

const WARM_UP_SECONDS = 6;
/** The code of a quiet service becomes fast after many events. */
const QUIET_WARM_UP_SECONDS = 40;
/** Many small events, and as many large ones as the service keeps in memory. */
const SETTINGS = [
  { kilobytes: 0.5, load: { connections: 32, underWay: 1_000 } },
  { kilobytes: 8, load: { connections: 16, underWay: 64 } },
  { kilobytes: 64, load: { connections: 16, underWay: 64 } },
];

/**
 * Compares another version of the service with this checkout. Each ratio is that of this checkout to the other version
 * in the same round: the median, and the quartiles in parentheses. A ratio counts as a change when both quartiles are
 * on one side of 1.
 */
export async function pairs({
  against,
  rounds,
  seconds,
  rate,
}: PairsOptions): Promise<Record<string, number | string>[]> {
  const version = await otherVersion(against);
  const started: Pipeline[] = [];
  try {
    const other = await startPipeline({ start: version.start });
    started.push(other);
    const own = await startPipeline();
    started.push(own);
    const rows = [];
    const warmUpSeconds = rate === undefined ? WARM_UP_SECONDS : QUIET_WARM_UP_SECONDS;
    for (const { kilobytes, load } of rate === undefined ? SETTINGS : [{ kilobytes: 0.1, load: { rate } }]) {
      const text = JSON.stringify('x'.repeat(kilobytes * 1000));
      const options = { rounds, seconds, warmUpSeconds, load, text };
      const [before = [], now = []] = await alternateRounds([other, own], options);
      rows.push(comparisonOf(kilobytes, before, now, residentMb(own.service) - residentMb(other.service)));
    }
    return rows;
  } finally {
    for (const pipeline of started) await pipeline.stop();
    version.remove();
  }
}

function comparisonOf(kilobytes: number, before: readonly Round[], now: readonly Round[], moreMb: number) {
  const each = (measurement: keyof Round) =>
    [before, now].map((rounds) => rounded(medianOf(rounds, measurement))).join(' → ');
  return {
    KB: kilobytes,
    'processor time': shown(ratioOf(now, before, 'processorUs')),
    'events/s': shown(ratioOf(now, before, 'eventsPerSecond')),
    'µs per event': each('processorUs'),
    'p50 ms': each('p50Ms'),
    'more MB': moreMb,
  };
}

const shown = ({ median, from, to }: Ratio): string => `${median.toFixed(3)} (${from.toFixed(3)}–${to.toFixed(3)})`;

const rounded = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
