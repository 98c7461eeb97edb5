import type * as z from 'zod';
import * as examples from './examples.ts';
import type { JsonSchema } from './json-schema.ts';
import * as accounts from '../account-responses.ts';
import { AuditResponse } from '../audit/audit-response.ts';
import * as connecting from '../connect-responses.ts';
import * as keys from '../keys/key-responses.ts';
import { MetricResponse } from '../metrics/metric-response.ts';
import * as responses from '../responses.ts';
import * as sessions from '../sessions/session-responses.ts';
import * as webhooks from '../webhook-responses.ts';

interface Named {
  schema: z.ZodType;
  example: object;
}

/**
 * The response schemas and their names in the OpenAPI document, each with an example. Routes refer to them by name:
 * only the document needs the schemas, and making them took a tenth of the start of every function of the API.
 */
export const NAMED = {
  Component: { schema: responses.ComponentResponse, example: examples.component },
  ComponentListItem: { schema: responses.ComponentListResponse, example: examples.componentItem },
  PropConfiguration: { schema: responses.PropConfigurationResponse, example: examples.options },
  Source: { schema: responses.SourceResponse, example: examples.source },
  SourceListItem: { schema: responses.SourceListResponse, example: examples.sourceItem },
  Workflow: { schema: responses.WorkflowResponse, example: examples.workflow },
  Account: { schema: accounts.AccountResponse, example: examples.account },
  ConnectAddress: { schema: connecting.ConnectAddressResponse, example: examples.connectAddress },
  ConnectAttempt: { schema: connecting.SignInResponse, example: examples.signIn },
  App: { schema: accounts.AppResponse, example: examples.app },
  Activity: { schema: responses.ActivityResponse, example: examples.activity },
  Notices: { schema: responses.NoticesResponse, example: examples.notices },
  AuditEntry: { schema: AuditResponse, example: examples.auditEntry },
  Metric: { schema: MetricResponse, example: examples.metric },
  Subscription: { schema: responses.SubscriptionResponse, example: examples.subscription },
  AutoSubscription: { schema: responses.AutoSubscriptionResponse, example: examples.autoSubscription },
  Webhook: { schema: webhooks.WebhookResponse, example: examples.webhook },
  WebhookListItem: { schema: webhooks.WebhookListResponse, example: examples.webhookItem },
  WebhookWithSecret: { schema: webhooks.NewWebhookResponse, example: examples.newWebhook },
  PortalLink: { schema: webhooks.PortalLinkResponse, example: examples.portalLink },
  WebhookTest: { schema: webhooks.TestResponse, example: examples.webhookTest },
  Delivery: { schema: webhooks.DeliveryResponse, example: examples.delivery },
  DeliveryWithAttempts: {
    schema: webhooks.DeliveryWithAttemptsResponse,
    example: examples.deliveryWithAttempts,
  },
  Recovery: { schema: webhooks.RecoveryResponse, example: examples.recovery },
  EventSummary: { schema: responses.EventSummaryResponse, example: examples.eventSummary },
  Event: { schema: webhooks.EventResponse, example: examples.event },
  LiveToken: { schema: responses.LiveTokenResponse, example: examples.liveToken },
  LegacyEvent: { schema: responses.LegacyEventResponse, example: examples.legacyEvent },
  Trigger: { schema: responses.TriggerResponse, example: examples.trigger },
  Run: { schema: responses.RunResponse, example: examples.run },
  AccessKey: { schema: keys.KeyResponse, example: examples.accessKey },
  CurrentKey: { schema: keys.CurrentKeyResponse, example: examples.currentKey },
  AccessKeyWithSecret: { schema: keys.NewKeyResponse, example: examples.newAccessKey },
  Session: { schema: sessions.SessionResponse, example: examples.session },
  SignedOut: { schema: sessions.SignedOutResponse, example: examples.signedOut },
  User: { schema: responses.UserResponse, example: examples.freeUser },
} satisfies Record<string, Named>;

export type SchemaName = keyof typeof NAMED;

export const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

/** A reference to the schema of one element of `data`, and an example. */
export function elementOf(name: SchemaName | undefined): { schema: JsonSchema; example: object } {
  if (!name) throw new Error('An operation that answers with data needs the name of its schema');
  return { schema: reference(name), example: NAMED[name].example };
}
