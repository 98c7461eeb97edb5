import type { SourceId, UserId, WebhookId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Granularity, lastOf, MAX_ROWS, metricRange } from '../../domain/metrics/granularity.ts';
import { type Measure, type MetricRow, metricRowsOf } from '../../domain/metrics/metric-rows.ts';
import type { MetricSubject } from '../../domain/metrics/tally.ts';
import type { MetricStore } from '../../store/users/metrics.ts';
import type { WebhookStore } from '../../store/subscriptions/webhooks.ts';
import { ownedSource, type OwnedSourceContext } from '../sources/owned-source.ts';
import { ownedWebhook } from '../webhooks/owned-webhook.ts';
import { readTallies } from '../metrics/read-tallies.ts';

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

/** The rows of one measure of a source or webhook of the user. */
export async function readMetrics(
  context: ReadMetricsContext,
  userId: UserId,
  { measure, granularity, since, until, ...subject }: WantedMetrics,
): Promise<MetricRow[]> {
  const now = context.now();
  const range = metricRange({ granularity, since, until }, now);
  if (range.rows > MAX_ROWS)
    throw refused('since', `is more than ${MAX_ROWS} ${granularity}s before until; ask for a shorter time`);
  const id = await ownedSubject(context, subject, userId);
  const { first } = range;
  const tallies = await readTallies(context.metrics, id, { granularity, first, last: lastOf(range) }, now);
  return metricRowsOf(measure, range, tallies);
}

const refused = (path: string, message: string): ServiceError =>
  new ServiceError('invalid', 'invalid_request', `${path} ${message}.`, { details: [{ path, message }] });

async function ownedSubject(
  context: ReadMetricsContext,
  { sourceId, webhookId }: Pick<WantedMetrics, 'sourceId' | 'webhookId'>,
  userId: UserId,
): Promise<MetricSubject> {
  if (sourceId !== undefined) return (await ownedSource(context, sourceId, userId)).id;
  if (webhookId !== undefined) return (await ownedWebhook(context, webhookId, userId)).id;
  throw refused('source_id', 'is required unless webhook_id is given');
}
