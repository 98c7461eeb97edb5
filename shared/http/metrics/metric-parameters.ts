import * as z from 'zod';
import { Granularity, MAX_ROWS } from '../../domain/metrics/granularity.ts';
import { isOfSources, Measure } from '../../domain/metrics/metric-rows.ts';
import { Instant } from '../delivery-parameters.ts';
import { SourceIdParameter, WebhookIdParameter } from '../parameters.ts';

/** Measure, subject and range of metrics. */
export const MetricsInput = z
  .object({
    measure: Measure.meta({
      description:
        '`runs`: runs of the source. `events`: its events on all streams but `$errors` and `$logs`. `errors`: its events on `$errors`. `deliveries`: attempts to deliver that succeeded. `failures`: attempts that failed. `latency`: ms from the storing of an event to the end of the successful attempt.',
    }),
    source_id: SourceIdParameter.optional().meta({
      description: 'The source: what it runs and emits, and the deliveries of its events.',
    }),
    webhook_id: WebhookIdParameter.optional().meta({
      description: 'The webhook: the deliveries to it. Exactly one of `source_id` and `webhook_id` is given.',
    }),
    granularity: Granularity.default('minute').meta({
      description:
        'Length of the buckets, which begin in UTC. Minutes are kept for at least 24 hours, hours for 30 days, days for 13 months; expired buckets have zeros.',
    }),
    since: Instant.optional().meta({
      description: `From the bucket of this time on, as epoch ms or ISO 8601; at most ${MAX_ROWS} buckets. Default: the last hour of minutes, day of hours or 30 days.`,
    }),
    until: Instant.optional().meta({
      description: 'Only buckets that begin before this time, as epoch ms or ISO 8601. Default: now.',
    }),
  })
  .refine(({ source_id: source, webhook_id: webhook }) => source === undefined || webhook === undefined, {
    path: ['webhook_id'],
    message: 'must not be used together with source_id',
  })
  .refine(({ measure, webhook_id: webhook }) => webhook === undefined || !isOfSources(measure), {
    path: ['measure'],
    message: 'must be deliveries, failures or latency for a webhook',
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
    path: ['since'],
    message: 'must be earlier than until',
  });
