import { closedLoop, type LoadedProgram, quantile } from './closed-loop.ts';
import { measuredAtRate } from './open-loop.ts';
import { usedProcessorMs } from './process-measurements.ts';

export interface RoundOptions {
  readonly rounds: number;
  /** Length of a round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** As fast as it goes, or events per second. */
  readonly load: { readonly connections: number; readonly underWay: number } | { readonly rate: number };
  /** JSON of the event's text. */
  readonly text: string;
}

/** One round of one program. */
export interface Round {
  /** Processor time of the program and all its processes per event, in µs. */
  readonly processorUs: number;
  readonly eventsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Rounds of programs that are alive together. The programs run one after the other in each round, in alternating order:
 * the speed of a machine changes within minutes, so only figures of one round are comparable. Returns the rounds of
 * each program.
 */
export async function alternateRounds(programs: readonly LoadedProgram[], options: RoundOptions): Promise<Round[][]> {
  const all = programs.map((program) => ({ program, rounds: [] as Round[] }));
  for (const { program } of all) await measureRound(program, options, options.warmUpSeconds);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const { program, rounds } of round % 2 === 0 ? all : all.toReversed())
      rounds.push(await measureRound(program, options, options.seconds));
  }
  return all.map(({ rounds }) => rounds);
}

/** One round of one program. */
export async function measureRound(
  program: LoadedProgram,
  { load, text }: Pick<RoundOptions, 'load' | 'text'>,
  seconds: number,
): Promise<Round> {
  const before = processorMsOf(program);
  const measured =
    'rate' in load
      ? await measuredAtRate(program, { ...load, text, seconds })
      : await closedLoop(program, { ...load, text, seconds });
  return {
    processorUs: (1000 * (processorMsOf(program) - before)) / measured.events,
    eventsPerSecond: measured.events / measured.seconds,
    p50Ms: quantile(measured.latencies, 0.5),
    p99Ms: quantile(measured.latencies, 0.99),
  };
}

/** Processor time of all processes of a program. */
const processorMsOf = ({ processes }: LoadedProgram): number =>
  processes.reduce((sum, one) => sum + usedProcessorMs(one), 0);

/** Median and quartiles of a measurement's ratio between two programs in the same round. */
export interface Ratio {
  readonly median: number;
  readonly from: number;
  readonly to: number;
}

export function ratioOf(rounds: readonly Round[], base: readonly Round[], measurement: keyof Round): Ratio {
  const ratios = rounds.map((round, index) => round[measurement] / (base[index]?.[measurement] ?? Number.NaN));
  return { median: quantileOf(ratios, 0.5), from: quantileOf(ratios, 0.25), to: quantileOf(ratios, 0.75) };
}

export const medianOf = (rounds: readonly Round[], measurement: keyof Round): number =>
  quantileOf(
    rounds.map((round) => round[measurement]),
    0.5,
  );

/** Interpolated between the two nearest values. */
function quantileOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}
