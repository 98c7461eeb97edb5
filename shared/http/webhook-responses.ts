import * as z from 'zod';
import { AttemptOutcome, DeliveryStatus } from '../domain/delivery/delivery.ts';
import { EventId } from '../domain/event/event-id.ts';
import { TARGET_KINDS } from '../domain/target/target-kind-names.ts';
import { WEBHOOK_FORMATS } from '../domain/webhook/webhook-format.ts';
import { DeliveryId, EmitterId, RecoveryId, WebhookId } from '../domain/id.ts';
import { WEBHOOK_TEXTS } from '../domain/setting-texts.ts';
import type { WebhookSettings } from '../domain/webhook/webhook.ts';
import { DisabledReason } from '../domain/webhook/webhook-health.ts';
import { createdAt, EventSummaryResponse, Milliseconds, ownerId, timeOrNull, updatedAt } from './responses.ts';
import type { WithWireFields } from './settings/wire-fields.ts';

/* Response schemas of webhooks and their deliveries. */

const attemptSummary = {
  at_ms: Milliseconds.describe('Time at which the attempt began, in ms since the epoch.'),
  outcome: AttemptOutcome.describe(
    '`delivered` (any 2xx), `rejected` (another status), `timed_out`, `unreachable` (name, connection or TLS) or `blocked` (address not allowed).',
  ),
  status: z.number().int().nullable().describe('The HTTP status; null without a response.'),
  ms: Milliseconds.describe('Duration of the attempt, in ms.'),
};
const lastAttempt = z.strictObject(attemptSummary).nullable().describe('The last attempt; null before the first one.');

const AttemptResponse = z.strictObject({
  attempt: z.number().int().describe('Number of the attempt, from 1.'),
  ...attemptSummary,
  answer: z
    .string()
    .nullable()
    .describe(
      'The first 1,024 bytes of the response as text; kept of failed attempts, tests, redeliveries and one success a minute, else null.',
    ),
  response_headers: z
    .array(
      z.strictObject({
        name: z.string().describe('The name, in lower case.'),
        value: z.string().describe('The value, or its start; `••••` in the place of a secret.'),
      }),
    )
    .nullable()
    .describe('Headers of the response, `location` first, at most 1 KB; kept when the response is. Null without them.'),
  reason: z
    .string()
    .nullable()
    .describe('One sentence that says why there is no response, or why a target refused the event; else null.'),
});

export const WebhookResponse = z.strictObject({
  id: WebhookId.describe('The id of the webhook.'),
  user_id: ownerId,
  name: z.string().nullable().describe(WEBHOOK_TEXTS.name),
  description: z.string().nullable().describe(WEBHOOK_TEXTS.description),
  url: z.string().describe(WEBHOOK_TEXTS.url),
  active: z.boolean().describe(WEBHOOK_TEXTS.active),
  created_at: createdAt,
  updated_at: updatedAt,
  headers: z.record(z.string(), z.string()).describe(WEBHOOK_TEXTS.headers),
  rate_limit: z.number().int().nullable().describe(WEBHOOK_TEXTS.rate_limit),
  retry_seconds: z.array(z.number().int()).nullable().describe(WEBHOOK_TEXTS.retry_seconds),
  ordered: z.boolean().describe(WEBHOOK_TEXTS.ordered),
  format: z.enum(WEBHOOK_FORMATS).describe(WEBHOOK_TEXTS.format),
  target: z
    .strictObject({
      kind: z.enum(TARGET_KINDS).describe('The kind of the target.'),
      arn: z.string().describe('The ARN of the bus or the queue.'),
      role_arn: z.string().nullable().describe('The ARN of the role that is assumed, or null.'),
    })
    .nullable()
    .describe(WEBHOOK_TEXTS.target),
  tags: z.array(z.string()).describe(WEBHOOK_TEXTS.tags),
  last_attempt: lastAttempt,
  last_success_ms: Milliseconds.nullable().describe(
    'Time of the last attempt that succeeded, in ms since the epoch, or null.',
  ),
  failing_since_ms: timeOrNull('of the first failure after the last success', 'after a success. Refused events count'),
  next_attempt_ms: Milliseconds.nullable().describe(
    'Time of the next attempt, in ms since the epoch, while the failures of its receiver hold back its deliveries; else null.',
  ),
  slow_since_ms: timeOrNull(
    'since when it responds slowly',
    'while it is fast. Its deliveries then wait for one another',
  ),
  disabled_reason: DisabledReason.nullable().describe(
    'Why it is inactive: `owner` (a request), `gone` (it answered 410) or `failing` (its receiver, for 5 days); null while active.',
  ),
  held_count: z.number().int().describe('Number of deliveries that are held now.'),
  delivery_addresses: z
    .array(z.string())
    .nullable()
    .describe('IPv4 addresses that its deliveries come from; null when they are not fixed.'),
} satisfies WithWireFields<WebhookSettings, z.ZodType>);
export const WebhookListResponse = WebhookResponse.omit({ user_id: true });
export const NewWebhookResponse = WebhookResponse.extend({
  secret: z.string().describe('The secret that signs deliveries (Standard Webhooks). No later response shows it.'),
});

const deliveryId = DeliveryId.describe('The id of the delivery.');
const webhookId = WebhookId.describe('The webhook that the event is delivered to.');
const status = DeliveryStatus.describe(
  '`pending` (no attempt yet), `delivered`, `retrying` (another attempt will come), `failed` (given up), `held` (the webhook is inactive) or `discarded` (held too long, or too many).',
);
const attempts = z.number().int().describe('Number of attempts made.');

export const DeliveryResponse = z.strictObject({
  id: deliveryId,
  webhook_id: webhookId,
  emitter_id: EmitterId.nullable().describe('The source or workflow that emitted the event; null for a test.'),
  event_name: z.string().describe('The stream; empty for the default stream, `$test` for a test.'),
  event_id: EventId.nullable().describe('The id of the event; null for a test.'),
  emit_id: z.string().describe('The id of the emit, which is also the `webhook-id` of its deliveries.'),
  status,
  attempts,
  created_at_ms: Milliseconds.describe('Time of creation, in ms since the epoch.'),
  last_attempt: lastAttempt,
  next_attempt_ms: timeOrNull('of the next attempt', 'when none is planned'),
});

export const DeliveryWithAttemptsResponse = DeliveryResponse.extend({
  attempt_log: z.array(AttemptResponse).describe('The first attempt and the last 19.'),
  event: z.unknown().optional().describe('The event of the body, null when it is gone; only with `expand=event`.'),
});

export const PortalLinkResponse = z.strictObject({
  url: z.string().describe('The address of the page. Who has it may see and change the webhook.'),
  expires_at_ms: Milliseconds.describe('Time at which the address ends, in ms since the epoch.'),
});

export const TestResponse = AttemptResponse.omit({ attempt: true, at_ms: true });

export const RecoveryResponse = z.strictObject({
  id: RecoveryId.describe('The id of the job.'),
  since_ms: Milliseconds.describe('The job sends deliveries created at this time or later, in ms since the epoch.'),
  status: z.enum(['running', 'done']).describe('Whether the job still runs.'),
  found: z.number().int().describe('Number of deliveries to be sent, fixed at the start.'),
  sent: z.number().int().describe('Number of attempts of the job that ended.'),
  delivered: z
    .number()
    .int()
    .nullable()
    .describe('Number of these attempts that delivered; null for a job that an earlier release started.'),
  started_at_ms: Milliseconds.describe('Start of the job, in ms since the epoch.'),
  finished_at_ms: Milliseconds.nullable().describe('End of the job, in ms since the epoch; null while it runs.'),
});

export const EventResponse = EventSummaryResponse.extend({
  trigger_id: z
    .string()
    .nullable()
    .describe('The id that the request which triggered the run was answered with; null without one.'),
  deliveries: z
    .array(
      z.strictObject({
        webhook_id: webhookId,
        delivery_id: deliveryId,
        status,
        attempts,
        last_attempt: lastAttempt,
      }),
    )
    .describe('Its deliveries to webhooks, newest first, at most 100.'),
});
