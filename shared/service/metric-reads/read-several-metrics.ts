import type { SourceId, UserId, WebhookId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/errors.ts';
import { MAX_ROWS, metricRange } from '../../domain/metrics/granularity.ts';
import type { MetricRow } from '../../domain/metrics/metric-rows.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { readMetrics, type ReadMetricsContext, type WantedMetrics } from './read-metrics.ts';

interface WantedSeveralMetrics extends Omit<WantedMetrics, 'sourceId' | 'webhookId'> {
  sourceIds?: readonly SourceId[] | undefined;
  webhookIds?: readonly WebhookId[] | undefined;
}

export interface SubjectMetrics {
  /** Absent unless several subjects are asked for. */
  sourceId?: SourceId | undefined;
  webhookId?: WebhookId | undefined;
  rows: readonly MetricRow[];
}

/** Reads of one request that run at the same time. */
const MAX_READS = 10;

/** The rows of one measure of each of some sources or webhooks of the user, all for the same buckets. */
export async function readSeveralMetrics(
  context: ReadMetricsContext,
  userId: UserId,
  { sourceIds = [], webhookIds = [], ...wanted }: WantedSeveralMetrics,
): Promise<SubjectMetrics[]> {
  const subjects = [...sourceIds.map((sourceId) => ({ sourceId })), ...webhookIds.map((webhookId) => ({ webhookId }))];
  const [first, ...others] = subjects;
  if (first === undefined || others.length === 0)
    return [{ rows: await readMetrics(context, userId, { ...wanted, ...first }) }];
  const now = context.now();
  if (metricRange(wanted, now).rows * subjects.length > MAX_ROWS) throw tooManyRows(subjects.length, wanted);
  const limited = createLimiter(MAX_READS);
  const atNow = { ...context, now: () => now };
  return Promise.all(
    subjects.map((subject) =>
      limited(async () => ({
        ...subject,
        rows: await readMetrics(atNow, userId, { ...wanted, ...subject }),
      })),
    ),
  );
}

function tooManyRows(subjects: number, { granularity }: Pick<WantedMetrics, 'granularity'>): ServiceError {
  const path = 'since';
  const message = `must be at most ${Math.floor(MAX_ROWS / subjects)} ${granularity}s before until with ${subjects} ids; ask for a shorter time or fewer ids`;
  return new ServiceError('invalid', 'invalid_request', `${path} ${message}.`, {
    details: [{ path, message }],
  });
}
