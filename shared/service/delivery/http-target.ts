import { type Destination, destinationOf } from '../../aws/http-attempt.ts';
import { contentTypeOf, type WebhookFormat } from '../../domain/webhook/webhook-format.ts';
import { type HeaderList, headerList } from '../../lib/header-list.ts';
import type { UserId, WebhookId, WorkflowId } from '../../domain/id.ts';
import type { SealedFields } from '../../domain/user/sealed-fields.ts';
import {
  type DeliveredEvent,
  deliveryHeaders,
  type OutgoingEvent,
  signingKey,
} from '../../domain/delivery/signature.ts';
import type { StoredSecret } from '../../domain/delivery/signing-secret.ts';
import { signingSecretsOf, type Webhook, isReceiving } from '../../domain/webhook/webhook.ts';
import { callOf, type Target, type TargetCall, targetOfArn } from '../../domain/target/aws-target.ts';
import { isRefusedHeader } from '../../domain/delivery/webhook-headers.ts';
import { HEALTHY, type WebhookHealth } from '../../domain/webhook/webhook-health.ts';
import type { Listener } from '../../store/subscriptions/matching.ts';
import type { DeliveryServices } from './delivery-services.ts';

/** A listener that receives signed POST requests, or calls to its target: a webhook or a workflow. */
export interface HttpTarget {
  listenerId: WebhookId | WorkflowId;
  ownerId: UserId;
  name: string | null;
  url: string;
  /** Receives calls instead of requests to the URL. */
  target: Target | null;
  /** Newest first. */
  secrets: readonly StoredSecret[];
  headers?: SealedFields | undefined;
  active: boolean;
  /** Attempts per second. */
  rateLimit: number | null;
  /** Its own schedule, in s before each further attempt. */
  retrySeconds: readonly number[] | null;
  /** Deliveries of one emitter are sent one at a time, in the order of its events. */
  ordered: boolean;
  format: WebhookFormat;
  health: WebhookHealth;
  /** Epoch ms. */
  suspectUntil: number;
}

export const targetOfWebhook = (webhook: Webhook, now: number): HttpTarget => ({
  listenerId: webhook.id,
  ownerId: webhook.ownerId,
  name: webhook.name,
  url: webhook.url,
  target: webhook.target,
  secrets: signingSecretsOf(webhook, now),
  headers: webhook.headers,
  active: isReceiving(webhook),
  rateLimit: webhook.rateLimit,
  retrySeconds: webhook.retrySeconds,
  ordered: webhook.ordered,
  format: webhook.format,
  health: webhook.health,
  suspectUntil: webhook.suspectUntil ?? 0,
});

/** Undefined for listeners that get no deliveries. */
export function targetOf(listener: Listener, now: number): HttpTarget | undefined {
  switch (listener.kind) {
    case 'webhook':
      return targetOfWebhook(listener.webhook, now);
    case 'workflow': {
      const { id, ownerId, name, target, secret, deleting, suspendedAt } = listener.workflow;
      const onAws = targetOfArn(target) ?? null;
      if (deleting || (onAws === null && !/^https?:\/\//i.test(target))) return undefined;
      return {
        listenerId: id,
        ownerId,
        name,
        url: target,
        target: onAws,
        secrets: [secret],
        active: suspendedAt === undefined,
        rateLimit: null,
        retrySeconds: null,
        ordered: false,
        format: 'event',
        health: HEALTHY,
        suspectUntil: 0,
      };
    }
    case 'source':
      return undefined;
  }
}

/** First attempts are short, because the batch waits for them; later attempts have the full time. */
export const FIRST_TIMEOUT_MS = 5_000;
export const LATER_TIMEOUT_MS = 15_000;

export interface DecryptedTarget {
  target: HttpTarget;
  destination: Destination | undefined;
  headers: HeaderList;
  /** Sign each attempt. */
  keys: readonly Uint8Array[];
}

export async function decryptTarget(
  { secretOf, headersOf }: Pick<DeliveryServices, 'secretOf' | 'headersOf'>,
  target: HttpTarget,
): Promise<DecryptedTarget> {
  const { listenerId: id, ownerId, secrets, url } = target;
  const holder = { id, ownerId };
  const [customHeaders, ...decrypted] = await Promise.all([
    headersOf(holder, target.headers),
    ...secrets.map((secret) => secretOf(holder, secret)),
  ]);
  // The custom headers replace none of the service and of proxies, whatever an earlier release let through.
  const headers = headerList(customHeaders.filter(([name]) => !isRefusedHeader(name)));
  return { target, destination: destinationOf(url), headers, keys: decrypted.map(signingKey) };
}

/** The headers of one attempt, signed. A call has none. */
export const attemptHeaders = (
  { target: { target, format }, headers, keys }: DecryptedTarget,
  event: DeliveredEvent,
  { body, now }: { body: Buffer; now: number },
): HeaderList =>
  target ? [] : [...deliveryHeaders(event, { keys, body, now, contentType: contentTypeOf(format) }), ...headers];

/** The call of one attempt; undefined for a request to the URL. */
export const attemptCall = (
  { target, ownerId }: HttpTarget,
  event: OutgoingEvent,
  attempt: { now: number; repetition?: number | undefined },
): TargetCall | undefined => (target ? callOf(target, ownerId, { ...event, ...attempt }) : undefined);
