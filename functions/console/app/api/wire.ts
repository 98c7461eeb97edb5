import type * as z from 'zod';
import type { AccountResponse, AppResponse } from '../../../../shared/http/account-responses.ts';
import type { AuditResponse } from '../../../../shared/http/audit/audit-response.ts';
import type { ConnectAddressResponse, SignInResponse } from '../../../../shared/http/connect-responses.ts';
import type { KeyResponse, NewKeyResponse } from '../../../../shared/http/keys/key-responses.ts';
import type { CountResponse, LatencyResponse } from '../../../../shared/http/metrics/metric-response.ts';
import type {
  ActivityResponse,
  NoticesResponse,
  AutoSubscriptionResponse,
  ComponentListResponse,
  ComponentResponse,
  ErrorResponse,
  EventSummaryResponse,
  FreeUserResponse,
  OptionsResponse,
  PageInfo,
  PaidUserResponse,
  ReloadedPropsResponse,
  RunResponse,
  SourceListResponse,
  SourceResponse,
  SubscriptionResponse,
  TriggerResponse,
  WorkflowResponse,
} from '../../../../shared/http/responses.ts';
import type { SessionResponse } from '../../../../shared/http/sessions/session-responses.ts';
import type { accountFields, accountUpdateFields } from '../../../../shared/http/settings/account-settings.ts';
import type { NewKeyInput } from '../../../../shared/http/settings/key-settings.ts';
import type { sourceFields } from '../../../../shared/http/settings/source-settings.ts';
import type { subscriptionFields } from '../../../../shared/http/settings/subscription-settings.ts';
import type { webhookFields } from '../../../../shared/http/settings/webhook-settings.ts';
import type {
  DeliveryResponse,
  DeliveryWithAttemptsResponse,
  EventResponse,
  NewWebhookResponse,
  RecoveryResponse,
  TestResponse,
  WebhookListResponse,
  WebhookResponse,
} from '../../../../shared/http/webhook-responses.ts';

/**
 * The responses of the API, as types only. The service's tests compare every response with these schemas, so the app
 * does not parse them.
 */

export interface Single<Item> {
  data: Item;
  warnings?: string[];
}
export interface Listed<Item> {
  data: Item[];
}
export interface Page<Item> extends Listed<Item> {
  page_info: z.output<typeof PageInfo>;
}
export type ErrorBody = z.output<typeof ErrorResponse>;

export type AccessKey = z.output<typeof KeyResponse>;
export type NewAccessKey = z.output<typeof NewKeyResponse>;
export type KeySettings = z.input<typeof NewKeyInput>;
export type Scope = AccessKey['scopes'][number];
export type SessionState = z.output<typeof SessionResponse>;
/** A person who is signed in without a key. */
export type Person = NonNullable<SessionState['session']>;
export type AuditEntry = z.output<typeof AuditResponse>;
export type Account = z.output<typeof AccountResponse>;
export type Notices = z.output<typeof NoticesResponse>;
export type ActivityMinute = z.output<typeof ActivityResponse>;
export type App = z.output<typeof AppResponse>;
export type AutoSubscription = z.output<typeof AutoSubscriptionResponse>;
export type Component = z.output<typeof ComponentResponse>;
export type ComponentItem = z.output<typeof ComponentListResponse>;
export type ConnectAddress = z.output<typeof ConnectAddressResponse>;
export type AccountSignIn = z.output<typeof SignInResponse>;
export type Delivery = z.output<typeof DeliveryResponse>;
export type DeliveryWithAttempts = z.output<typeof DeliveryWithAttemptsResponse>;
export type EventSummary = z.output<typeof EventSummaryResponse>;
export type CountRow = z.output<typeof CountResponse>;
export type LatencyRow = z.output<typeof LatencyResponse>;
export type NewWebhook = z.output<typeof NewWebhookResponse>;
export type Options = z.output<typeof OptionsResponse>;
export type Prop = ComponentItem['configurable_props'][number];
export type Recovery = z.output<typeof RecoveryResponse>;
export type ReloadedProps = z.output<typeof ReloadedPropsResponse>;
export type Run = z.output<typeof RunResponse>;
export type Source = z.output<typeof SourceResponse>;
export type SourceItem = z.output<typeof SourceListResponse>;
export type Subscription = z.output<typeof SubscriptionResponse>;
export type TestResult = z.output<typeof TestResponse>;
export type Trigger = z.output<typeof TriggerResponse>;
export type User = z.output<typeof FreeUserResponse> | z.output<typeof PaidUserResponse>;
export type Webhook = z.output<typeof WebhookResponse>;
export type WebhookItem = z.output<typeof WebhookListResponse>;
type WholeEvent = z.output<typeof EventResponse>;
export type Workflow = z.output<typeof WorkflowResponse>;

/**
 * The settings of a request. A new one does not compile until every form and list has it, or leaves it out by its name.
 */
type Settings<Fields extends Record<string, z.ZodType>> = { [Name in keyof Fields]: z.input<Fields[Name]> };
export type AccountSettings = Settings<typeof accountFields>;
export type AccountUpdate = Settings<typeof accountUpdateFields>;
export type SourceSettings = Settings<typeof sourceFields>;
export type SubscriptionSettings = Settings<typeof subscriptionFields>;
export type WebhookSettings = Settings<typeof webhookFields>;

/** An event with the JSON text of its data, as it was sent. */
export interface ShownEvent extends EventSummary {
  json: string;
}

/** A whole event, with the trigger of its run and its deliveries to webhooks. */
export type ShownWholeEvent = ShownEvent & Pick<WholeEvent, 'trigger_id' | 'deliveries'>;
