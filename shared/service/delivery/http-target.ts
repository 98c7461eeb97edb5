import type { Attempter, HttpOutcome } from '../../aws/deliver-http.ts';
import type { EventId } from '../../domain/event-id.ts';
import type { EmitterId, UserId, WebhookId, WorkflowId } from '../../domain/id.ts';
import { deliveryHeaders } from '../../domain/signature.ts';
import type { StoredSecret } from '../../domain/signing-secret.ts';
import type { StreamName } from '../../domain/stream.ts';
import type { Attempt } from '../../store/deliveries.ts';
import type { Listener } from '../../store/matching.ts';
import type { SecretReader } from './signing-secrets.ts';

/** A listener that receives signed POST requests: a webhook, or a workflow with a URL as target. */
export interface HttpTarget {
  listenerId: WebhookId | WorkflowId;
  ownerId: UserId;
  url: string;
  secret: StoredSecret;
  isActive: boolean;
  /** Epoch ms. */
  suspectUntil: number;
}

/** Undefined for listeners without a URL. */
export function targetOf(listener: Listener): HttpTarget | undefined {
  switch (listener.kind) {
    case 'webhook': {
      const { id, ownerId, url, secret, active, suspectUntil = 0 } = listener.webhook;
      return { listenerId: id, ownerId, url, secret, isActive: active, suspectUntil };
    }
    case 'workflow': {
      const { id, ownerId, target, secret, deleting } = listener.workflow;
      if (deleting || !/^https?:\/\//i.test(target)) return undefined;
      return { listenerId: id, ownerId, url: target, secret, isActive: true, suspectUntil: 0 };
    }
    case 'source':
      return undefined;
  }
}

/** One event, as sent to a target. */
export interface OutgoingEvent {
  emitterId: EmitterId;
  stream: StreamName;
  eventId: EventId;
  emitId: string;
  /** JSON text of the bare event. */
  body: string;
}

/** First attempts are short, because the batch waits for them; later attempts have the full time. */
export const FIRST_TIMEOUT_MS = 5_000;
export const LATER_TIMEOUT_MS = 15_000;

export interface AttemptOptions {
  attempt: Attempter;
  secretOf: SecretReader;
  now(): number;
}

/** Signs the event with the current time and sends it. */
export async function sendAttempt(
  { attempt, secretOf, now }: AttemptOptions,
  { target, sent, timeoutMs }: { target: HttpTarget; sent: OutgoingEvent; timeoutMs: number },
): Promise<HttpOutcome> {
  const { listenerId: id, ownerId, url } = target;
  const secrets = [await secretOf({ id, ownerId }, target.secret)];
  return attempt({
    url,
    headers: deliveryHeaders({ ...sent, secrets, now: now() }),
    body: sent.body,
    timeoutMs,
  });
}

/** Converts an outcome to the form stored in the delivery. */
export const attemptOf = (
  { outcome, status, answer, ms }: HttpOutcome,
  attempt: number,
  now: number,
): Attempt => ({
  attempt,
  at: now - ms,
  outcome,
  ...(status === undefined ? {} : { status }),
  ...(answer === '' ? {} : { answer }),
  ms,
});
