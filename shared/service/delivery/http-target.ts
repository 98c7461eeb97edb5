import type { Attempter, AttemptWatcher, HttpOutcome } from '../../aws/deliver-http.ts';
import type { Attempt } from '../../domain/delivery.ts';
import type { AttemptCause } from '../../domain/delivery-progress.ts';
import type { EventId } from '../../domain/event-id.ts';
import {
  type DeliveryId,
  type EmitterId,
  isWebhookId,
  type UserId,
  type WebhookId,
  type WorkflowId,
} from '../../domain/id.ts';
import type { LogFields, WriteLine } from '../../domain/log-fields.ts';
import type { SealedFields } from '../../domain/sealed-fields.ts';
import { deliveryHeaders } from '../../domain/signature.ts';
import type { StoredSecret } from '../../domain/signing-secret.ts';
import type { StreamName } from '../../domain/stream.ts';
import type { Trace } from '../../domain/trace.ts';
import { signingSecretsOf, type Webhook } from '../../domain/webhook.ts';
import { HEALTHY, type WebhookHealth } from '../../domain/webhook-health.ts';
import type { Listener } from '../../store/matching.ts';
import type { HeaderReader } from './own-headers.ts';
import type { SecretReader } from './signing-secrets.ts';

/** A listener that receives signed POST requests: a webhook, or a workflow with a URL as target. */
export interface HttpTarget {
  listenerId: WebhookId | WorkflowId;
  ownerId: UserId;
  url: string;
  /** Newest first. */
  secrets: readonly StoredSecret[];
  headers?: SealedFields | undefined;
  isActive: boolean;
  /** Attempts per second. */
  rateLimit: number | null;
  health: WebhookHealth;
  /** Epoch ms. */
  suspectUntil: number;
}

export const targetOfWebhook = (webhook: Webhook, now: number): HttpTarget => ({
  listenerId: webhook.id,
  ownerId: webhook.ownerId,
  url: webhook.url,
  secrets: signingSecretsOf(webhook, now),
  headers: webhook.headers,
  isActive: webhook.active,
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
      const { id, ownerId, target, secret, deleting } = listener.workflow;
      if (deleting || !/^https?:\/\//i.test(target)) return undefined;
      return {
        listenerId: id,
        ownerId,
        url: target,
        secrets: [secret],
        isActive: true,
        rateLimit: null,
        health: HEALTHY,
        suspectUntil: 0,
      };
    }
    case 'source':
      return undefined;
  }
}

/** One event, as sent to a target. */
export interface OutgoingEvent {
  /** The webhook itself, for a test of it. */
  emitterId: EmitterId | WebhookId;
  stream: StreamName;
  /** Absent for a test. */
  eventId?: EventId | undefined;
  emitId: string;
  /** JSON text of the bare event. */
  body: string;
  trace?: Trace | undefined;
}

/** First attempts are short, because the batch waits for them; later attempts have the full time. */
export const FIRST_TIMEOUT_MS = 5_000;
export const LATER_TIMEOUT_MS = 15_000;

export interface AttemptOptions {
  writeLine: WriteLine;
  attempt: Attempter;
  secretOf: SecretReader;
  headersOf: HeaderReader;
  now(): number;
}

/** The own headers and the signing secrets of a target, decrypted. */
export interface OpenedFields {
  headers: Readonly<Record<string, string>>;
  secrets: readonly string[];
}

export async function openFields(
  { secretOf, headersOf }: Pick<AttemptOptions, 'secretOf' | 'headersOf'>,
  { listenerId: id, ownerId, headers, secrets }: HttpTarget,
): Promise<OpenedFields> {
  const holder = { id, ownerId };
  const [own, ...opened] = await Promise.all([
    headersOf(holder, headers),
    ...secrets.map((secret) => secretOf(holder, secret)),
  ]);
  return { headers: Object.fromEntries(own), secrets: opened };
}

interface AttemptLimits {
  timeoutMs: number;
  keepsAnswer?: boolean;
  watcher?: AttemptWatcher;
}

/** Sends the event when a connection is free, signed with the time of that. */
export const sendOpened = (
  { attempt, now }: Pick<AttemptOptions, 'attempt' | 'now'>,
  {
    target: { url },
    opened: { headers, secrets },
    sent,
    ...limits
  }: AttemptLimits & { target: HttpTarget; opened: OpenedFields; sent: OutgoingEvent },
): Promise<HttpOutcome> =>
  attempt({
    url,
    headers: () => ({ ...headers, ...deliveryHeaders({ ...sent, secrets, now: now() }) }),
    body: sent.body,
    ...limits,
  });

/** Sends one event to a target. */
export async function sendAttempt(
  options: AttemptOptions,
  request: AttemptLimits & { target: HttpTarget; sent: OutgoingEvent },
): Promise<HttpOutcome> {
  return sendOpened(options, { ...request, opened: await openFields(options, request.target) });
}

/** An outcome in the form of the delivery log. */
export const attemptOf = (
  { outcome, status, answer, reason, at, ms }: HttpOutcome,
  attempt: number,
): Attempt => ({
  attempt,
  at,
  outcome,
  ...(status === undefined ? {} : { status }),
  ...(reason === undefined ? {} : { reason: sentence(reason) }),
  ...(answer === undefined ? {} : { answer }),
  ms,
});

interface AttemptLine {
  target: Pick<HttpTarget, 'listenerId' | 'ownerId'>;
  sent: Pick<OutgoingEvent, 'emitterId' | 'eventId' | 'emitId' | 'trace'>;
  deliveryId: DeliveryId;
  attempt: Attempt;
  cause: AttemptCause | 'test';
  /** The batch that made the attempt. */
  batch?: string;
}

/** Writes the line of one attempt. `line` is not called if the operator does not want such lines. */
export function logAttempt({ writeLine }: Pick<AttemptOptions, 'writeLine'>, line: () => AttemptLine): void {
  writeLine('attempt.ended', () => fieldsOf(line()));
}

function fieldsOf({ target, sent, deliveryId, attempt, cause, batch }: AttemptLine): LogFields {
  const { listenerId, ownerId } = target;
  return {
    ...(batch === undefined ? {} : { batch }),
    delivery: deliveryId,
    [isWebhookId(listenerId) ? 'webhook' : 'workflow']: listenerId,
    owner: ownerId,
    emitter: sent.emitterId,
    event: sent.eventId,
    emit: sent.emitId,
    trace: sent.trace?.id,
    cause,
    attempt: attempt.attempt,
    outcome: attempt.outcome,
    status: attempt.status,
    ms: attempt.ms,
  };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
