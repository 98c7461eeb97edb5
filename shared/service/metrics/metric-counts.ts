import { openMinute } from '../../domain/metrics/adding-up.ts';
import { startOfBucket } from '../../domain/metrics/granularity.ts';
import { addTally, type MetricSubject, type Tally, weightOf } from '../../domain/metrics/tally.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { MetricStore } from '../../store/users/metrics.ts';

export interface MetricCounts {
  /** Counts in memory. `runMs`: how long each of the runs took. */
  count(subject: MetricSubject, tally: Tally, runMs?: readonly number[]): void;
  /**
   * Writes the counts that are due, and leaves the others to a timer. Call it at the end of every batch. It does not
   * throw.
   */
  settle(): Promise<void>;
}

interface MetricCountsOptions {
  metrics: Pick<MetricStore, 'add'>;
  now(): number;
  /** Calls back after this time. */
  later(work: () => void, ms: number): void;
  /** A failed write loses counts, which are statistics: neither runs nor deliveries must be repeated for them. */
  onLost(error: unknown): void;
}

/** The counts of one subject that wait for their write. */
interface Waiting {
  weight: number;
  /** By the start of the minute, epoch ms. */
  minutes: Map<number, Map<string, number>>;
}

/** A subject is written once in this time, so metrics cost no write per event. */
export const WRITE_INTERVAL_MS = 30_000;
/**
 * So many counts are written before that. AWS freezes an idle instance, which may end without waking: it loses fewer
 * counts than these, of the last {@link WRITE_INTERVAL_MS} before the pause.
 */
export const DUE_WEIGHT = 500;
/**
 * Subjects that the end of a batch writes. A timer writes the others, so that a fan-out to 1,000 webhooks does not wait
 * for its counts.
 */
export const SUBJECTS_PER_SETTLE = 20;
/** Subjects that wait in a process, a few KB each. Counts of further ones are lost. */
export const MAX_WAITING = 5_000;
const MAX_WRITES = 10;

const NONE: Waiting = { weight: 0, minutes: new Map() };

/** Counts per source and webhook in memory, and writes them in intervals. Each write adds to a minute. */
export function createMetricCounts({ metrics, now, later, onLost }: MetricCountsOptions): MetricCounts {
  const waiting = new Map<MetricSubject, Waiting>();
  /** Subjects among them that the end of a batch writes. */
  const due = new Set<MetricSubject>();
  const written = new TtlCache<MetricSubject, true>({
    ttlMs: WRITE_INTERVAL_MS,
    maxEntries: MAX_WAITING,
    now,
  });
  const limited = createLimiter(MAX_WRITES);
  let isTimerSet = false;
  let isFull = false;

  async function write(subject: MetricSubject): Promise<void> {
    const { minutes } = waiting.get(subject) ?? NONE;
    waiting.delete(subject);
    due.delete(subject);
    isFull = false;
    written.set(subject, true);
    for (const [at, tally] of minutes) await limited(() => metrics.add(subject, openMinute(at, now()), tally));
  }

  /** Reports one error, however many writes failed: a table that is away would fill the log. */
  async function writeAll(subjects: readonly MetricSubject[]): Promise<void> {
    const results = await Promise.allSettled(subjects.map(write));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) onLost(failed.reason);
  }

  /** The next timer is set when all writes have ended: those that take longer than the interval let counts gather. */
  function setTimer(): void {
    if (isTimerSet || waiting.size === 0) return;
    isTimerSet = true;
    later(() => {
      void writeAll([...waiting.keys()]).then(() => {
        isTimerSet = false;
        setTimer();
      });
    }, WRITE_INTERVAL_MS);
  }

  function waitingOf(subject: MetricSubject): Waiting | undefined {
    const found = waiting.get(subject);
    if (found) return found;
    if (waiting.size < MAX_WAITING) {
      const counts = { weight: 0, minutes: new Map() };
      waiting.set(subject, counts);
      return counts;
    }
    if (!isFull) onLost(new Error(`Counts of ${MAX_WAITING} sources and webhooks wait for their write.`));
    isFull = true;
    return undefined;
  }

  return {
    count(subject, tally) {
      const weight = weightOf(tally);
      const counts = weight === 0 ? undefined : waitingOf(subject);
      if (!counts) return;
      counts.weight += weight;
      if (counts.weight >= DUE_WEIGHT || written.get(subject) === undefined) due.add(subject);
      const at = startOfBucket('minute', now());
      const minute = counts.minutes.get(at) ?? new Map<string, number>();
      counts.minutes.set(at, minute);
      addTally(minute, tally);
    },

    async settle() {
      await writeAll([...due].slice(0, SUBJECTS_PER_SETTLE));
      setTimer();
    },
  };
}
