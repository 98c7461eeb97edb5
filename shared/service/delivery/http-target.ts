import { type Destination, destinationOf } from '../../aws/http-attempt.ts';
import { type HeaderList, headerList } from '../../lib/header-list.ts';
import type { UserId, WebhookId, WorkflowId } from '../../domain/id.ts';
import type { SealedFields } from '../../domain/user/sealed-fields.ts';
import { type DeliveredEvent, deliveryHeaders, signingKey } from '../../domain/delivery/signature.ts';
import type { StoredSecret } from '../../domain/delivery/signing-secret.ts';
import { signingSecretsOf, type Webhook } from '../../domain/webhook/webhook.ts';
import { isReceiving } from '../../domain/webhook/webhook-work.ts';
import { isRefusedHeader } from '../../domain/delivery/webhook-headers.ts';
import { HEALTHY, type WebhookHealth } from '../../domain/webhook/webhook-health.ts';
import type { Listener } from '../../store/subscriptions/matching.ts';
import type { DeliveryServices } from './delivery-services.ts';

/** A listener that receives signed POST requests: a webhook, or a workflow with a URL as target. */
export interface HttpTarget {
  listenerId: WebhookId | WorkflowId;
  ownerId: UserId;
  name: string | null;
  url: string;
  /** Newest first. */
  secrets: readonly StoredSecret[];
  headers?: SealedFields | undefined;
  active: boolean;
  /** Attempts per second. */
  rateLimit: number | null;
  health: WebhookHealth;
  /** Epoch ms. */
  suspectUntil: number;
}

export const targetOfWebhook = (webhook: Webhook, now: number): HttpTarget => ({
  listenerId: webhook.id,
  ownerId: webhook.ownerId,
  name: webhook.name,
  url: webhook.url,
  secrets: signingSecretsOf(webhook, now),
  headers: webhook.headers,
  active: isReceiving(webhook),
  rateLimit: webhook.rateLimit,
  health: webhook.health,
  suspectUntil: webhook.suspectUntil ?? 0,
});

/** Undefined for listeners without a URL. */
export function targetOf(listener: Listener, now: number): HttpTarget | undefined {
  switch (listener.kind) {
    case 'webhook':
      return targetOfWebhook(listener.webhook, now);
    case 'workflow': {
      const { id, ownerId, name, target, secret, deleting, suspendedAt } = listener.workflow;
      if (deleting || !/^https?:\/\//i.test(target)) return undefined;
      return {
        listenerId: id,
        ownerId,
        name,
        url: target,
        secrets: [secret],
        active: suspendedAt === undefined,
        rateLimit: null,
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

/** A target with its custom headers and its signing secrets decrypted. */
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

/** The headers of one attempt, signed. */
export const attemptHeaders = (
  { headers, keys }: Pick<DecryptedTarget, 'headers' | 'keys'>,
  event: DeliveredEvent,
  { body, now }: { body: Buffer; now: number },
): HeaderList => [...deliveryHeaders(event, { keys, body, now }), ...headers];
