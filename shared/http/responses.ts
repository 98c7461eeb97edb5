import * as z from 'zod';
import { PropDefinition } from '../domain/prop-definition.ts';
import { errorCodes } from '../domain/errors.ts';
import { EventId } from '../domain/event-id.ts';
import { ComponentId, EmitterId, ListenerId, SourceId, UserId, WebhookId } from '../domain/id.ts';
import { AutoSubscription, EmitterGlob, Subscription } from '../domain/subscription.ts';

/** Response schemas, without additional members except in user data. Times are seconds since the epoch unless their name ends in `_ms`. */
const Seconds = z.number().int();
const Anything = z.looseObject({});

export const ComponentResponse = z.strictObject({
  id: ComponentId,
  code: z.string(),
  code_hash: z.string(),
  name: z.string(),
  version: z.string(),
  configurable_props: z.array(PropDefinition),
  created_at: Seconds,
  updated_at: Seconds,
  key: z.string().nullable(),
  description: z.string().nullable(),
  component_url: z.string().nullable(),
});

export const OptionsResponse = z.strictObject({ options: z.array(z.unknown()), context: z.unknown() });

export const SourceResponse = z.strictObject({
  id: SourceId,
  user_id: UserId,
  component_id: ComponentId,
  configured_props: Anything,
  active: z.boolean(),
  created_at: Seconds,
  updated_at: Seconds,
  name: z.string(),
  name_slug: z.string(),
});
export const SourceListResponse = SourceResponse.omit({ user_id: true });

export const SubscriptionResponse = z.strictObject({
  id: Subscription.shape.id,
  emitter_id: z.union([EmitterGlob, EmitterId]),
  listener_id: ListenerId,
  event_name: z.string(),
});

export const AutoSubscriptionResponse = z.strictObject({
  id: AutoSubscription.shape.id,
  event_name: z.string(),
  listener_id: ListenerId,
});

export const WebhookResponse = z.strictObject({
  id: WebhookId,
  user_id: UserId,
  name: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string(),
  active: z.boolean(),
  created_at: Seconds,
  updated_at: Seconds,
});
export const WebhookListResponse = WebhookResponse.omit({ user_id: true });
export const NewWebhookResponse = WebhookResponse.extend({ secret: z.string() });

export const EventSummaryResponse = z.strictObject({
  id: EventId,
  indexed_at_ms: z.number().int(),
  event: Anything,
  metadata: z.strictObject({
    emit_id: z.string(),
    name: z.string(),
    emitter_id: EmitterId,
    id: z.string().optional(),
    summary: z.string().optional(),
    ts: z.number().optional(),
    truncated: z.literal(true).optional(),
  }),
});

export const LegacyEventResponse = z.strictObject({
  id: EventId,
  e: Anything,
  k: z.literal('emit'),
  ts: z.number().int(),
});

export const TriggerResponse = z.strictObject({ id: z.string() });

const everyUser = { id: UserId, username: z.string(), email: z.string() };
const FreeUserResponse = z.strictObject({
  ...everyUser,
  api_key: z.string(),
  daily_compute_time_quota: z.number().int(),
  daily_compute_time_used: z.number().int(),
  daily_invocations_quota: z.number().int(),
  daily_invocations_used: z.number().int(),
});
const PaidUserResponse = z.strictObject({
  ...everyUser,
  billing_period_start_ts: Seconds,
  billing_period_end_ts: Seconds,
  billing_period_invocations: z.number().int(),
});

export const UserResponse = z.union([FreeUserResponse, PaidUserResponse]);

export const PageInfo = z.strictObject({
  total_count: z.number().int(),
  count: z.number().int(),
  start_cursor: z.string().nullable(),
  end_cursor: z.string().nullable(),
});

export const ErrorResponse = z.strictObject({
  error: z.string(),
  code: z.enum(errorCodes),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  request_id: z.string(),
});
