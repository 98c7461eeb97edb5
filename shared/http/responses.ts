import * as z from 'zod';
import { PropDefinition } from '../domain/component/prop-definition.ts';
import { errorCodes } from '../domain/errors.ts';
import { EventId } from '../domain/event/event-id.ts';
import { ComponentId, EmitterId, ListenerId, SourceId, UserId, WorkflowId } from '../domain/id.ts';
import { NoticeName } from '../domain/notice/notice.ts';
import { SOURCE_TEXTS, SUBSCRIPTION_TEXTS } from '../domain/setting-texts.ts';
import { EndpointForm } from '../domain/source/endpoint-address.ts';
import type { SourceSettings } from '../domain/source/source.ts';
import {
  AutoSubscription,
  EmitterGlob,
  Subscription,
  type SubscriptionSettings,
} from '../domain/subscription/subscription.ts';
import type { WireFields, WithWireFields } from './settings/wire-fields.ts';

/**
 * Response schemas, without additional members except in user data. Times are seconds since the epoch unless their name
 * ends in `_ms`.
 */
const Seconds = z.number().int();
export const Milliseconds = z.number().int();
export const timeOrNull = (time: string, whenNull: string) =>
  Milliseconds.nullable().describe(`Time ${time}, in ms since the epoch; null ${whenNull}.`);
const Anything = z.looseObject({});

export const createdAt = Seconds.describe('Time of creation, in seconds since the epoch.');
export const updatedAt = Seconds.describe('Time of the last change, in seconds since the epoch.');
export const ownerId = UserId.describe('The id of the user who owns it.');
const subscriptionSettings = {
  filter: Anything.optional().describe(SUBSCRIPTION_TEXTS.filter),
} satisfies WireFields<SubscriptionSettings, z.ZodType>;

const Prop = PropDefinition.extend({
  name: PropDefinition.shape.name.describe('The name of the prop in `configured_props`.'),
  type: PropDefinition.shape.type.describe('The type, for example `string` or `$.interface.timer`.'),
  authFields: z
    .array(z.string())
    .optional()
    .describe("Of an `app` prop: the names of the account's fields that the code reads, sorted."),
}).describe('A prop as the component declares it, with label, description, default, options and so on.');

export const ComponentListResponse = z.strictObject({
  id: ComponentId.describe('The id of the component.'),
  code_hash: z.string().describe('The SHA-256 of the code, in hex.'),
  name: z.string().describe('The name in the code.'),
  version: z.string().describe('The version in the code; empty without one.'),
  configurable_props: z.array(Prop).describe('The props that the code declares, in its order.'),
  created_at: createdAt,
  updated_at: updatedAt,
  key: z.string().nullable().describe('The key in the code, by which the component can be looked up.'),
  description: z.string().nullable().describe('The description in the code.'),
  component_url: z.string().nullable().describe('The address of the code, if one was given.'),
  path: z.string().describe('The name of the file with the code; errors name it.'),
});
export const ComponentResponse = ComponentListResponse.extend({
  code: z.string().describe('The text of the entry file.'),
  files: z
    .record(z.string(), z.string())
    .optional()
    .describe('The other files that were sent with the code, by path; only with `expand=files`.'),
});

export const OptionsResponse = z.strictObject({
  options: z.array(z.unknown()).describe('The options: values, or objects with `label` and `value`.'),
  context: z.unknown().optional().describe('Send it back as `prev_context` to get the next page.'),
});
export const ReloadedPropsResponse = z.strictObject({
  configurable_props: z.array(Prop).describe('All props for these values, with those of `additionalProps`.'),
});
/** Options, or all props after `reload`. */
export const PropConfigurationResponse = OptionsResponse.extend(ReloadedPropsResponse.shape).partial();

const TimerResponse = z.strictObject({
  interval_seconds: z.number().int().nullable().describe('Seconds from one run to the next; null for a cron.'),
  cron: z.string().nullable().describe('The cron expression of five fields; null for an interval.'),
  timezone: z.string().optional().describe('The time zone of the cron; UTC without one.'),
  next_run_ms: timeOrNull('of the next run', 'while the source is not active'),
});

export const SourceResponse = z.strictObject({
  id: SourceId.describe('The id of the source.'),
  user_id: ownerId,
  component_id: ComponentId.describe('The component that the source runs.'),
  configured_props: Anything.describe('The values of the props, by name; an HTTP interface shows its `endpoint_url`.'),
  active: z.boolean().describe(SOURCE_TEXTS.active),
  endpoint: EndpointForm.describe(SOURCE_TEXTS.endpoint),
  tags: z.array(z.string()).describe(SOURCE_TEXTS.tags),
  created_at: createdAt,
  updated_at: updatedAt,
  name: z.string().describe('The name of the source.'),
  name_slug: z.string().describe('The name as a slug, unique among your sources.'),
  endpoint_url: z.string().nullable().describe('The address of the first HTTP interface; null without one.'),
  sse_url: z.string().describe('The address of the live stream of its events.'),
  waiting: z.number().int().describe('The triggers in its backlog; 0 while the source is not behind.'),
  oldest_waiting_ms: timeOrNull('since when the oldest trigger of the backlog waits', 'when none waits'),
  timer: TimerResponse.optional().describe('The timer that runs the source; absent without one.'),
} satisfies WithWireFields<SourceSettings, z.ZodType>);
export const SourceListResponse = SourceResponse.omit({ user_id: true }).extend({
  state: z
    .enum(['creating', 'activating', 'active', 'failed', 'disabled'])
    .describe('The state of the source. Its hooks run while it is `creating` or `activating`.'),
  last_event_ms: Milliseconds.nullable().describe('Time of the newest event, in ms since the epoch.'),
  last_error_ms: Milliseconds.nullable().describe('Time of the newest event on `$errors`, in ms since the epoch.'),
});

export const WorkflowResponse = z.strictObject({
  id: WorkflowId.describe('The id of the workflow.'),
  name: z.string().describe("The operator's name for it."),
  target: z.string().describe('Where its deliveries go: a URL or an ARN.'),
  ingest_url: z
    .string()
    .describe('The base address of its emits and errors: POST an event, or an array of up to 100, to `/emits`.'),
  created_at: createdAt,
});

export const ActivityResponse = z.strictObject({
  minute_ms: Milliseconds.describe('The start of the minute, in ms since the epoch.'),
  runs: z.number().int().describe('Runs of sources.'),
  events: z.number().int().describe('Events on all streams but `$errors` and `$logs`.'),
  errors: z.number().int().describe('Events on `$errors`.'),
  delivered: z.number().int().describe('Attempts to deliver that succeeded.'),
  failed: z.number().int().describe('Attempts to deliver that failed.'),
});

export const NoticesResponse = z.strictObject({
  id: SourceId.describe(
    `The id of the emitter. Its streams are ${NoticeName.options.map((name) => `\`${name}\``).join(', ')}. The event of a notice has \`id\` and \`name\` of its subject, \`what\` happened, and \`since\` when.`,
  ),
});

export const SubscriptionResponse = z.strictObject({
  id: Subscription.shape.id.describe('The id of the subscription.'),
  emitter_id: z
    .union([EmitterGlob, EmitterId])
    .describe('The emitting source or workflow, or all of them: `dc_*`, `p_*`.'),
  listener_id: ListenerId.describe('The receiving source, workflow or webhook.'),
  event_name: z.string().describe('The stream, as it was given; empty for the default stream.'),
  ...subscriptionSettings,
});

export const AutoSubscriptionResponse = z.strictObject({
  id: AutoSubscription.shape.id.describe('The id of the auto-subscription.'),
  event_name: z.string().describe('The stream of the subscriptions that it makes.'),
  listener_id: ListenerId.describe('The receiving source, workflow or webhook.'),
  ...subscriptionSettings,
});

export const EventSummaryResponse = z.strictObject({
  id: EventId.describe('The id of the event, which sorts by time; also a cursor.'),
  indexed_at_ms: Milliseconds.describe('Time of storing, in ms since the epoch.'),
  event: Anything.describe('The data of the event; `raw_event` holds data that is no object.'),
  metadata: z
    .strictObject({
      emit_id: z.string().describe('The id of the emit, which is also the `webhook-id` of its deliveries.'),
      name: z.string().describe('The stream; empty for the default stream.'),
      emitter_id: EmitterId.describe('The source or workflow that emitted it.'),
      id: z.string().optional().describe('The id that the component gave the emit.'),
      summary: z.string().optional().describe('The summary that the component gave the emit.'),
      ts: z.number().optional().describe('The time that the component gave the emit, in ms since the epoch.'),
      truncated: z.literal(true).optional().describe('Set when `event` is shortened: its data has more than 1 KB.'),
    })
    .describe('Where the event comes from.'),
});

export const LegacyEventResponse = z.strictObject({
  id: EventId.describe('The id of the event.'),
  e: Anything.describe('The data of the event, whole.'),
  k: z.literal('emit').describe('Always `emit`.'),
  ts: Milliseconds.describe('Time of the event, in ms since the epoch.'),
});

export const LiveTokenResponse = z.strictObject({
  token: z.string().describe('Follows one stream, as the parameter `token`.'),
  url: z.string().describe('The address of the stream, with the token.'),
  expires_at_ms: Milliseconds.describe('Time at which the token ends, in ms since the epoch.'),
});

export const TriggerResponse = z.strictObject({ id: z.string().describe('The id of the accepted trigger.') });

export const RunResponse = z.strictObject({
  id: z.string().describe('The id of the trigger.'),
  state: z
    .enum(['waiting', 'running', 'done', 'failed', 'skipped'])
    .describe(
      '`waiting` and `running`: requested by `POST /sources/{id}/run`. `done`, `failed`: the run has ended. `skipped`: the source did not run for this trigger.',
    ),
  received_at_ms: Milliseconds.describe('Time of acceptance, in ms since the epoch.'),
  started_at_ms: Milliseconds.nullable().describe(
    'Start of the run, in ms since the epoch; null if unknown, or if it did not start.',
  ),
  ended_at_ms: Milliseconds.nullable().describe('End of the run, in ms since the epoch; null before it.'),
  emitted: z.number().int().describe('Events of the run on all streams but `$errors` and `$logs`; 0 before its end.'),
  error: z
    .strictObject({
      code: z.string().describe('The code of the first error on `$errors`.'),
      message: z.string().describe('The beginning of its message; `$errors` has it whole.'),
    })
    .nullable()
    .describe('Why the run failed, or why it was skipped, if that is an error.'),
});

const everyUser = {
  id: UserId.describe('The id of the user.'),
  username: z.string().describe('The name of the user.'),
  email: z.string().describe('The e-mail address of the user.'),
};
export const FreeUserResponse = z.strictObject({
  ...everyUser,
  api_key: z.string().describe('Of a free user: the API key of this request.'),
  daily_compute_time_quota: z
    .number()
    .int()
    .describe('Of a free user: run time of sources allowed per UTC day, in ms.'),
  daily_compute_time_used: z.number().int().describe('Of a free user: run time of sources used today, in ms.'),
  daily_invocations_quota: z.number().int().describe('Of a free user: runs of sources allowed per UTC day.'),
  daily_invocations_used: z.number().int().describe('Of a free user: runs of sources today.'),
});
export const PaidUserResponse = z.strictObject({
  ...everyUser,
  billing_period_start_ts: Seconds.describe('Of a paid user: start of the billing period, in seconds since the epoch.'),
  billing_period_end_ts: Seconds.describe('Of a paid user: end of the billing period, in seconds since the epoch.'),
  billing_period_invocations: z.number().int().describe('Of a paid user: runs of sources in the billing period.'),
});
/** One object, because generated clients cannot tell two apart. */
export const UserResponse = FreeUserResponse.extend(PaidUserResponse.shape)
  .partial()
  .required({ id: true, username: true, email: true });

export const PageInfo = z.strictObject({
  total_count: z.number().int().describe('Number of items of the whole list, as filtered.'),
  count: z.number().int().describe('Number of items of this page.'),
  start_cursor: z.string().nullable().describe('Cursor of the first item; null for an empty page.'),
  end_cursor: z.string().nullable().describe('Cursor of the last item; null for an empty page.'),
});

export const ErrorResponse = z.strictObject({
  error: z.string().describe('One sentence that says what is wrong.'),
  code: z.enum(errorCodes).describe('A stable code for programs; `docs/errors.md` lists all codes.'),
  details: z
    .array(
      z.strictObject({
        path: z.string().describe('The path in the body, dotted, or the name of the parameter.'),
        message: z.string().describe('The problem, or a line that was logged.'),
      }),
    )
    .optional()
    .describe('The problems of a request, or the last lines that a failed component logged.'),
  request_id: z.string().describe('The id of the request, also in the header `x-request-id`.'),
});
