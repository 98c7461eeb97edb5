import * as z from 'zod';
import { TARGET_KINDS } from '../../../shared/domain/target/target-kind-names.ts';
import { EndpointForm } from '../../../shared/domain/source/endpoint-address.ts';

/* Members of responses that commands read. The schemas are loose, so that `--json` prints every member. */

export const User = z.looseObject({ id: z.string(), username: z.string() });

export const Prop = z.looseObject({
  name: z.string(),
  type: z.string(),
  label: z.string().optional(),
  description: z.string().optional(),
  optional: z.boolean().optional(),
  hidden: z.boolean().optional(),
  disabled: z.boolean().optional(),
  secret: z.boolean().optional(),
  default: z.unknown().optional(),
  options: z.array(z.unknown()).optional(),
  remoteOptions: z.boolean().optional(),
  reloadProps: z.boolean().optional(),
  app: z.string().optional(),
  authFields: z.array(z.string()).optional(),
});
export type Prop = z.infer<typeof Prop>;

const Values = z.record(z.string(), z.unknown());

export const Component = z.looseObject({
  id: z.string(),
  /** An extension, which other services with this interface lack. */
  key: z
    .string()
    .nullish()
    .transform((key) => key ?? null),
  name: z.string(),
  version: z.string(),
  configurable_props: z.array(Prop),
  updated_at: z.number(),
});
export type Component = z.infer<typeof Component>;

/** Lists of components have no code. */
export const ComponentWithCode = Component.extend({ code: z.string(), code_hash: z.string() });
export type ComponentWithCode = z.infer<typeof ComponentWithCode>;

export const Source = z.looseObject({
  id: z.string(),
  component_id: z.string(),
  configured_props: Values,
  active: z.boolean(),
  created_at: z.number(),
  name: z.string(),
  name_slug: z.string(),
  endpoint: EndpointForm.optional(),
  endpoint_url: z.string().nullish(),
  tags: z.array(z.string()).optional(),
  state: z.string().optional(),
  last_event_ms: z.number().nullish(),
  last_error_ms: z.number().nullish(),
  waiting: z.number().optional(),
  oldest_waiting_ms: z.number().nullish(),
  timer: z
    .looseObject({
      interval_seconds: z.number().nullable(),
      cron: z.string().nullable(),
      next_run_ms: z.number().nullable(),
    })
    .optional(),
});
export type Source = z.infer<typeof Source>;

/** Address of the first HTTP interface. */
export function endpointOf({ endpoint_url: url, configured_props: props }: Source): string | undefined {
  if (url != null) return url;
  const addresses = Object.values(props).map(
    (value) => z.object({ endpoint_url: z.string() }).safeParse(value).data?.endpoint_url,
  );
  return addresses.find((address) => address !== undefined);
}

const Attempt = z
  .looseObject({ at_ms: z.number().nullish(), outcome: z.string(), status: z.number().nullish() })
  .nullish();

export const Webhook = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  description: z.string().nullish(),
  url: z.string(),
  active: z.boolean(),
  created_at: z.number(),
  secret: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  rate_limit: z.number().nullish(),
  retry_seconds: z.array(z.number()).nullish(),
  ordered: z.boolean().optional(),
  format: z.string().nullish(),
  target: z.object({ kind: z.enum(TARGET_KINDS), arn: z.string(), role_arn: z.string().nullish() }).nullish(),
  tags: z.array(z.string()).optional(),
  disabled_reason: z.string().nullish(),
  failing_since_ms: z.number().nullish(),
  held_count: z.number().optional(),
  next_attempt_ms: z.number().nullish(),
  slow_since_ms: z.number().nullish(),
  last_attempt: Attempt,
});
export type Webhook = z.infer<typeof Webhook>;

/** Newer members may be absent in the response of an earlier release. */
export const Account = z.looseObject({
  id: z.string(),
  app: z.string(),
  name: z.string().nullish(),
  kind: z.string().optional(),
  status: z.string().optional(),
  status_reason: z.string().nullish(),
  field_names: z.array(z.string()).default([]),
  used_by: z.number().optional(),
  created_at: z.number(),
});
export type Account = z.infer<typeof Account>;

export const AccessKey = z.looseObject({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires_at_ms: z.number().nullable(),
  last_used_ms: z.number().nullable(),
  overlap_until_ms: z.number().nullable(),
  is_current: z.boolean(),
  created_at: z.number(),
  api_key: z.string().optional(),
});
export type AccessKey = z.infer<typeof AccessKey>;

const ChangedFields = z.record(z.string(), z.unknown()).nullable();
export const AuditEntry = z.looseObject({
  number: z.number(),
  at_ms: z.number(),
  by: z.looseObject({ kind: z.string(), name: z.string().nullable() }),
  operation: z.string(),
  ids: z.array(z.string()),
  before: ChangedFields,
  after: ChangedFields,
  removed: ChangedFields,
  hidden: z.array(z.string()),
  request_id: z.string().nullable(),
  client_ip: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** The address of a sign-in. A browser's opener takes what is no web address for a file, a program or an option. */
export const SignInAddress = z.looseObject({
  url: z.url({ protocol: /^https?$/ }),
  expires_at_ms: z.number(),
  attempt_id: z.string(),
});

export const AutoSubscription = z.looseObject({
  id: z.string(),
  event_name: z.string(),
  listener_id: z.string(),
  filter: z.unknown().optional(),
});
export type AutoSubscription = z.infer<typeof AutoSubscription>;

export const Subscription = AutoSubscription.extend({ emitter_id: z.string() });
export type Subscription = z.infer<typeof Subscription>;

export const Summary = z.looseObject({
  id: z.string(),
  indexed_at_ms: z.number(),
  event: z.unknown(),
  metadata: z.looseObject({
    emit_id: z.string(),
    name: z.string(),
    emitter_id: z.string(),
    summary: z.string().optional(),
  }),
});
export type Summary = z.infer<typeof Summary>;

/** One event with the run that made it and its deliveries. */
export const WholeEvent = Summary.extend({
  trigger_id: z.string().nullish(),
  deliveries: z
    .array(z.looseObject({ webhook_id: z.string(), delivery_id: z.string(), status: z.string() }))
    .optional(),
});
export type WholeEvent = z.infer<typeof WholeEvent>;

/** The event of `$logs`. */
export const RunLogs = z.looseObject({
  run_id: z.string(),
  lines: z.array(z.looseObject({ k: z.string(), ts: z.number(), msg: z.string() })),
});

/** The event of `$errors`. */
export const RunFailure = z.looseObject({
  original_context: z.looseObject({ id: z.string() }),
  error: z.looseObject({
    code: z.string(),
    message: z.string().optional(),
    stack: z.string(),
  }),
});
export type RunFailure = z.infer<typeof RunFailure>;

export const Trigger = z.looseObject({ id: z.string() });

/** The record of one run. */
export const Run = z.looseObject({
  id: z.string(),
  state: z.string(),
  started_at_ms: z.number().nullable(),
  ended_at_ms: z.number().nullable(),
  emitted: z.number(),
  error: z.looseObject({ code: z.string(), message: z.string() }).nullable(),
});
export type Run = z.infer<typeof Run>;

export const Delivery = z.looseObject({
  id: z.string(),
  status: z.string(),
  attempts: z.number(),
  created_at_ms: z.number(),
  emitter_id: z.string().nullable(),
  event_id: z.string().nullable(),
  event_name: z.string().nullable(),
  next_attempt_ms: z.number().nullish(),
  last_attempt: Attempt,
});
export type Delivery = z.infer<typeof Delivery>;

const Attempted = z.looseObject({
  attempt: z.number(),
  at_ms: z.number(),
  outcome: z.string(),
  status: z.number().nullable(),
  ms: z.number(),
  answer: z.string().nullish(),
  response_headers: z.array(z.looseObject({ name: z.string(), value: z.string() })).nullish(),
  reason: z.string().nullish(),
});
export type Attempted = z.infer<typeof Attempted>;

/** One delivery with its attempts. */
export const DeliveryWithAttempts = Delivery.extend({ attempt_log: z.array(Attempted) });
export type DeliveryWithAttempts = z.infer<typeof DeliveryWithAttempts>;
