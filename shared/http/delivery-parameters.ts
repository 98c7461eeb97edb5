import * as z from 'zod';
import { AttemptOutcome, DeliveryStatus, TEST_STREAM } from '../domain/delivery/delivery.ts';
import { EventId } from '../domain/event/event-id.ts';
import { DeliveryId, EmitterId, SourceId, WorkflowId } from '../domain/id.ts';
import { instantOf } from '../lib/instant.ts';
import { isPublic, streamOf } from '../domain/event/stream.ts';
import { EventName } from '../domain/text.ts';
import { Expand, idOf, PageInput } from './parameters.ts';

export const DeliveryIdParameter = idOf(['delivery'], DeliveryId).describe('The id of the delivery.');

const NO_INSTANT = 'must be epoch milliseconds or an ISO 8601 time';

/** A time in a request, as epoch ms. */
export const Instant = z
  .union([z.number(), z.string()], {
    error: ({ input }) => (input === undefined ? 'is required' : NO_INSTANT),
  })
  .transform((value, context) => {
    const at = instantOf(String(value));
    if (at !== undefined) return at;
    context.addIssue({ code: 'custom', message: NO_INSTANT });
    return z.NEVER;
  })
  .meta({ jsonSchema: { type: 'string' } });

/** `since` of a recovery. Its limits depend on the time of the request, so the operation checks them. */
export const RecoverySince = Instant.describe(
  'Deliveries created at this time or later, as epoch ms or ISO 8601: at most 14 days ago, not in the future.',
);

/** Ids in filters: every well-formed id is valid, and matches or does not. */
const EmitterFilter = z
  .string()
  .pipe(z.union([SourceId, WorkflowId], { error: 'must be the id of a source (dc_…) or a workflow (p_…)' }))
  .meta({ jsonSchema: EmitterId });
const StreamFilter = EventName.refine(
  (name) => isPublic(name) || name === TEST_STREAM,
  `must not begin with $, but for the streams $errors, $logs and ${TEST_STREAM}`,
).transform(streamOf);

/** Limit, cursors and filters of a list of deliveries. */
export const DeliveryPage = PageInput.safeExtend({
  order: z
    .enum(['newest', 'oldest'])
    .optional()
    .describe('`oldest`: the oldest delivery comes first, and `after` goes to newer ones. Absent: newest first.'),
  status: DeliveryStatus.optional().describe('Only deliveries with this status.'),
  outcome: AttemptOutcome.optional().describe('Only deliveries whose last attempt had this outcome.'),
  emitter_id: EmitterFilter.optional().describe('Only events of this source or workflow.'),
  event_name: StreamFilter.optional().describe(
    'Only this stream. Absent: every stream. Empty or `default`: the default stream.',
  ),
  event_id: EventId.optional().describe('Only deliveries of this event.'),
  since: Instant.optional().describe('Only deliveries created at this time or later, as epoch ms or ISO 8601.'),
  until: Instant.optional().describe('Only deliveries created before this time, as epoch ms or ISO 8601.'),
}).refine(({ since, until }) => since === undefined || until === undefined || since < until, {
  path: ['since'],
  message: 'must be earlier than until',
});

export const ExpandEvent = z.object({ expand: Expand.optional() });
