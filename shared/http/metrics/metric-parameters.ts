import * as z from 'zod';
import { Granularity, MAX_ROWS } from '../../domain/metrics/granularity.ts';
import { isOfSources, Measure } from '../../domain/metrics/metric-rows.ts';
import { Instant } from '../delivery-parameters.ts';
import { SourceIdParameter, WebhookIdParameter } from '../parameters.ts';

/** Sources or webhooks of one request: a page of their lists. Each is read on its own. */
const MAX_SUBJECTS = 100;

/**
 * One id, or several with commas between them: API Gateway joins repeated parameters in the same way. Every id counts
 * once.
 */
const idsOf = <Id extends z.ZodType>(one: Id) =>
  z
    .string()
    .transform((text, context) => {
      const ids = new Set<z.output<Id>>();
      for (const each of text.split(',')) {
        const { data, error } = one.safeParse(each);
        if (error) {
          context.addIssue({ code: 'custom', message: error.issues[0]?.message ?? 'is invalid' });
          return z.NEVER;
        }
        ids.add(data);
      }
      return [...ids];
    })
    .refine((ids) => ids.length <= MAX_SUBJECTS, `must be at most ${MAX_SUBJECTS} ids`);

/** Measure, subject and range of metrics. */
export const MetricsInput = z
  .object({
    measure: Measure.describe(
      '`runs`: runs of the source. `events`: its events on all streams but `$errors` and `$logs`. `errors`: its events on `$errors`. `attempts`: attempts to deliver. `deliveries`: those that succeeded. `failures`: those that failed. `latency`: ms from the storing of an event to the end of the successful attempt.',
    ),
    source_id: idsOf(SourceIdParameter)
      .optional()
      .meta({
        description: `The source: what it runs and emits, and the deliveries of its events. Up to ${MAX_SUBJECTS} ids, separated by commas, give the rows of each source after one another.`,
        jsonSchema: { type: 'string' },
      }),
    webhook_id: idsOf(WebhookIdParameter)
      .optional()
      .meta({
        description: `The webhook: the deliveries to it; up to ${MAX_SUBJECTS}, as of \`source_id\`. Name exactly one of \`source_id\` and \`webhook_id\`.`,
        jsonSchema: { type: 'string' },
      }),
    granularity: Granularity.default('minute').describe(
      'Length of the buckets, which begin in UTC. Minutes are kept for at least 24 hours, hours for 30 days, days for 13 months; expired buckets have zeros.',
    ),
    since: Instant.optional().describe(
      `From the bucket of this time on, as epoch ms or ISO 8601; at most ${MAX_ROWS} rows. Default: the last hour of minutes, day of hours or 30 days.`,
    ),
    until: Instant.optional().describe(
      'Only buckets that begin before this time, as epoch ms or ISO 8601. Default: now.',
    ),
  })
  .refine(({ source_id: source, webhook_id: webhook }) => source === undefined || webhook === undefined, {
    path: ['webhook_id'],
    message: 'must not be used together with source_id',
  })
  .refine(({ measure, webhook_id: webhook }) => webhook === undefined || !isOfSources(measure), {
    path: ['measure'],
    message: 'must be attempts, deliveries, failures or latency for a webhook',
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
    path: ['since'],
    message: 'must be earlier than until',
  });
