import { defaultUserLimits } from '../shared/domain/limits.ts';
import type { Concurrency } from './concurrency.ts';

/** Short runs per second of one runner, each for another source: 44 ms with the receive and the end of its batch. */
const RUNS_PER_RUNNER = 22.5;
/** Requests per second of each HTTP API, unless the stage executes fewer. */
const LARGEST_DEFAULT_RATE = 2_000;

/**
 * Events per second that a stage executes on AWS when each is for another source. Batches of one source make it more.
 */
export const eventsPerSecond = ({ runs, runnersPerBatch }: Concurrency): number =>
  Math.floor(runs * runnersPerBatch * RUNS_PER_RUNNER);

/** Requests beyond what the stage executes would only wait in the queue. The burst is two seconds of the rate. */
export function defaultThrottle(concurrency: Concurrency): { rate: number; burst: number } {
  const rate = Math.min(LARGEST_DEFAULT_RATE, eventsPerSecond(concurrency));
  return { rate, burst: 2 * rate };
}

/** One run less than the stage executes at the same time, so that long runs of one user leave something to others. */
export const defaultConcurrentRuns = ({ runs }: Concurrency): number =>
  Math.min(defaultUserLimits.concurrentRuns, runs - 1);
