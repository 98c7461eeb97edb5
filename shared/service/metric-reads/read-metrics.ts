import type { SourceId, UserId, WebhookId } from '../../domain/id.ts';
import type { ServiceError } from '../../domain/errors.ts';
import { type Granularity, lastOf, MAX_ROWS, metricRange } from '../../domain/metrics/granularity.ts';
import { type Measure, type MetricRow, metricRowsOf } from '../../domain/metrics/metric-rows.ts';
import type { MetricSubject } from '../../domain/metrics/tally.ts';
import type { MetricStore } from '../../store/users/metrics.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { ownedSource, type OwnedSourceContext } from '../sources/owned-source.ts';
import { ownedWebhook } from '../webhooks/owned-webhook.ts';
import { readTallies } from '../metrics/read-tallies.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { invalidField } from '../../domain/check.ts';

export interface ReadMetricsContext extends OwnedSourceContext {
  webhooks: Pick<WebhookStore, 'find'>;
  metrics: Pick<MetricStore, 'read'>;
  now(): number;
}

export interface WantedMetrics {
  measure: Measure;
  sourceId?: SourceId | undefined;
  webhookId?: WebhookId | undefined;
  granularity: Granularity;
  since?: number | undefined;
  until?: number | undefined;
}

export async function readMetrics(
  context: ReadMetricsContext,
  userId: UserId,
  { measure, granularity, since, until, ...subject }: WantedMetrics,
): Promise<MetricRow[]> {
  const now = context.now();
  const range = metricRange({ granularity, since, until }, now);
  if (range.rows > MAX_ROWS)
    throw invalidField('since', `is more than ${MAX_ROWS} ${granularity}s before until; ask for a shorter time`);
  const id = await ownedSubject(context, subject, userId);
  const { first } = range;
  const tallies = await readTallies(context.metrics, id, { granularity, first, last: lastOf(range) }, now);
  return metricRowsOf(measure, range, tallies);
}

async function ownedSubject(
  context: ReadMetricsContext,
  { sourceId, webhookId }: Pick<WantedMetrics, 'sourceId' | 'webhookId'>,
  userId: UserId,
): Promise<MetricSubject> {
  if (sourceId !== undefined) return (await ownedSource(context, sourceId, userId)).id;
  if (webhookId !== undefined) return (await ownedWebhook(context, webhookId, userId)).id;
  throw invalidField('source_id', 'is required unless webhook_id is given');
}

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
  const message = `must be at most ${Math.floor(MAX_ROWS / subjects)} ${granularity}s before until with ${subjects} ids; ask for a shorter time or fewer ids`;
  return invalidField('since', message);
}
