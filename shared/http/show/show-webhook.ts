import {
  createdAtOf,
  type Attempt,
  type AttemptSummary,
  type Delivery,
  awaitsAttempt,
} from '../../domain/delivery/delivery.ts';
import type { Recovery } from '../../domain/delivery/recovery.ts';
import { shownName } from '../../domain/event/stream.ts';
import type { Webhook, WebhookSettings } from '../../domain/webhook/webhook.ts';
import { shownHealth } from '../../domain/webhook/webhook-health.ts';
import type { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import type { WithWireFields } from '../settings/wire-fields.ts';
import { seconds } from './show.ts';

/* Maps webhooks and deliveries to names of the API. */

/** The shown parts of a webhook that are not in its item. */
export interface WebhookDetails {
  headers: WebhookHeaders;
  /** The newest success in the delivery log. */
  logged: AttemptSummary | undefined;
  heldCount: number;
  deliveryAddresses: readonly string[] | null;
}

export function showWebhook(webhook: Webhook, { headers, logged, heldCount, deliveryAddresses }: WebhookDetails) {
  const { lastAttempt, lastSuccess, failingSince } = shownHealth(webhook.health, logged);
  return {
    id: webhook.id,
    user_id: webhook.ownerId,
    name: webhook.name,
    description: webhook.description,
    url: webhook.url,
    active: webhook.active,
    created_at: seconds(webhook.createdAt),
    updated_at: seconds(webhook.updatedAt),
    headers: Object.fromEntries(headers),
    rate_limit: webhook.rateLimit,
    retry_seconds: webhook.retrySeconds,
    ordered: webhook.ordered,
    format: webhook.format,
    target: webhook.target && {
      kind: webhook.target.kind,
      arn: webhook.target.arn,
      role_arn: webhook.target.roleArn,
    },
    tags: webhook.tags,
    last_attempt: showAttemptSummary(lastAttempt),
    last_success_ms: lastSuccess ?? null,
    failing_since_ms: failingSince ?? null,
    next_attempt_ms: webhook.active ? (webhook.health.breaker?.probeAt ?? null) : null,
    slow_since_ms: webhook.health.slowSince ?? null,
    disabled_reason: webhook.active ? null : webhook.disabledReason,
    held_count: heldCount,
    delivery_addresses: deliveryAddresses,
  } satisfies WithWireFields<WebhookSettings, unknown>;
}

/** Leaves out what a customer does not need: notes, headers and names of the user. */
export const portalView = (shown: ReturnType<typeof showWebhook>) => ({
  ...shown,
  description: null,
  headers: {},
  target: null,
  tags: [],
});

export const showAttemptSummary = (attempt: AttemptSummary | undefined) =>
  attempt ? { at_ms: attempt.at, outcome: attempt.outcome, status: attempt.status ?? null, ms: attempt.ms } : null;

/** While the breaker is open, waiting deliveries wait for the next probe. */
export const showDelivery = (delivery: Delivery, { health: { breaker } }: Pick<Webhook, 'health'>) => ({
  id: delivery.id,
  webhook_id: delivery.listenerId,
  emitter_id: delivery.emitterId ?? null,
  event_name: shownName(delivery.stream),
  event_id: delivery.eventId ?? null,
  emit_id: delivery.emitId,
  status: delivery.status,
  attempts: delivery.attemptCount,
  created_at_ms: createdAtOf(delivery),
  last_attempt: showAttemptSummary(delivery.lastAttempt),
  next_attempt_ms: awaitsAttempt(delivery) ? nextAttemptOf(delivery, breaker?.probeAt) : null,
});

const nextAttemptOf = ({ nextAt }: Delivery, probeAt: number | undefined): number | null =>
  probeAt === undefined ? (nextAt ?? null) : Math.max(nextAt ?? 0, probeAt);

export const showTest = ({ outcome, status, ms, answer, headers, reason }: Attempt) => ({
  outcome,
  status: status ?? null,
  ms,
  answer: answer ?? null,
  response_headers: headers?.map(([name, value]) => ({ name, value })) ?? null,
  reason: reason ?? null,
});

export const showAttempt = (attempt: Attempt) => ({
  attempt: attempt.attempt,
  at_ms: attempt.at,
  ...showTest(attempt),
});

export const showRecovery = (recovery: Recovery) => ({
  id: recovery.id,
  since_ms: recovery.since,
  status: recovery.status,
  found: recovery.found,
  sent: Math.min(recovery.sent, recovery.found),
  delivered: recovery.delivered === undefined ? null : Math.min(recovery.delivered, recovery.found),
  started_at_ms: recovery.startedAt,
  finished_at_ms: recovery.finishedAt ?? null,
});
