import type { MetricSubject } from '../../domain/metrics/tally.ts';
import type { DelayedJob, JobMessageOf } from '../../domain/run/message.ts';
import { createLimiter } from '../../lib/limiter.ts';
import type { MetricSubjects } from '../../store/users/metric-subjects.ts';
import {
  afterNewestSum,
  FINER,
  firstUnfinished,
  largestOf,
  mergedInto,
  type SummedGranularity,
} from '../../domain/metrics/adding-up.ts';
import { GRANULARITIES, startOfBucket } from '../../domain/metrics/granularity.ts';
import type { MetricStore } from '../../store/users/metrics.ts';

export type MetricsJob = ReturnType<typeof createMetricsJob>;

interface MetricsJobOptions extends SumMetricsContext {
  subjects: MetricSubjects;
  /** The next job, an hour later, adds up a source or webhook that failed. */
  onFailed(subject: MetricSubject, error: unknown): void;
}

/**
 * Users of a message. The first one starts at once and each further one a second later, so ticks of timers do not wait
 * behind them.
 */
export const USERS_PER_MESSAGE = 100;
/**
 * Sources or webhooks of a message. A user has one message at a time in the queue, however many sources and webhooks it
 * has.
 */
export const SUBJECTS_PER_MESSAGE = 100;
const MAX_SUMMED_CONCURRENTLY = 10;

/**
 * The job that adds up metrics, in messages that each do a part and return the next messages. Every part may be
 * repeated: see {@link sumMetrics}.
 */
export function createMetricsJob({ subjects, onFailed, ...context }: MetricsJobOptions) {
  async function ofUser(part: JobMessageOf<'metrics-of-user'>): Promise<DelayedJob[]> {
    const page = await subjects.ofUser(part, SUBJECTS_PER_MESSAGE);
    const limited = createLimiter(MAX_SUMMED_CONCURRENTLY);
    await Promise.all(
      page.map((subject) =>
        limited(() => sumMetrics(context, subject)).catch((error: unknown) => onFailed(subject, error)),
      ),
    );
    const { kind, ownerId, list } = part;
    if (page.length === SUBJECTS_PER_MESSAGE)
      return [{ message: { kind, ownerId, list, after: page.at(-1) }, delaySeconds: 0 }];
    // Most users have few of both: one message does.
    return list === 'sources' ? ofUser({ kind, ownerId, list: 'webhooks' }) : [];
  }

  return {
    async ofUsers({ after }: Pick<JobMessageOf<'metrics'>, 'after'>): Promise<DelayedJob[]> {
      const users = await subjects.users(after, USERS_PER_MESSAGE);
      const messages: DelayedJob[] = users.map((ownerId, n) => ({
        message: { kind: 'metrics-of-user', ownerId, list: 'sources' },
        delaySeconds: n,
      }));
      if (users.length === USERS_PER_MESSAGE)
        messages.push({ message: { kind: 'metrics', after: users.at(-1) }, delaySeconds: users.length });
      return messages;
    },

    ofUser,
  };
}

export interface SumMetricsContext {
  metrics: Pick<MetricStore, 'read' | 'putSum'>;
  now(): number;
}

/**
 * Adds up the minutes of a source or webhook to its hours, and the hours to its days, from the newest sums on. Finished
 * minutes do not change, so a repetition, also at the same time, stores the same sums. Sums are stored in the order of
 * time: what a crash leaves out is behind the newest sum, where the next call begins.
 */
export async function sumMetrics(context: SumMetricsContext, subject: MetricSubject): Promise<void> {
  const now = context.now();
  for (const granularity of ['hour', 'day'] as const) await sumBuckets(context, subject, granularity, now);
}

async function sumBuckets(
  { metrics }: SumMetricsContext,
  subject: MetricSubject,
  granularity: SummedGranularity,
  now: number,
): Promise<void> {
  const finer = FINER[granularity];
  const first = startOfBucket(granularity, now - GRANULARITIES[finer].keptMs);
  const end = firstUnfinished(granularity, now);
  const stored = await metrics.read(subject, {
    granularity,
    first,
    last: end - GRANULARITIES[granularity].ms,
  });
  const parts = await metrics.read(subject, {
    granularity: finer,
    first: afterNewestSum(granularity, stored, first),
    last: end - GRANULARITIES[finer].ms,
    isConsistent: true,
  });
  const tallies = Array.from(parts, ([at, { tally }]) => [at, tally] as const);
  for (const [at, tally] of mergedInto(granularity, tallies))
    await metrics.putSum(subject, granularity, at, largestOf(stored.get(at)?.tally, tally));
}
