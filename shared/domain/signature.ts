import { createHmac } from 'node:crypto';
import { type EventId } from './event-id.ts';
import type { EmitterId, WebhookId } from './id.ts';
import type { StreamName } from './stream.ts';
import { newTrace, traceHeaders, type Trace } from './trace.ts';
import { VERSION } from './version.ts';

export interface SignatureInput {
  /** `whsec_` and base64; several during a secret rotation. */
  secrets: readonly string[];
  body: string;
  /** Epoch ms of this attempt. */
  now: number;
}

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Standard Webhooks 1.0, symmetric: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
const signatureOf = (signed: string, secrets: readonly string[]): string =>
  secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`)
    .join(' ');

/** Percent-encodes the stream name, the only user input in a header. */
const headerText = (stream: StreamName) => encodeURIComponent(stream).replaceAll('%24', '$');

export interface DeliveredEvent {
  /** `webhook-id`: the same for every attempt. */
  emitId: string;
  /** The webhook itself, for a test of it. */
  emitterId: EmitterId | WebhookId;
  stream: StreamName;
  /** Absent for a test. */
  eventId?: EventId | undefined;
  /** Absent in deliveries that an earlier release stored. */
  trace?: Trace | undefined;
}

/** All headers of an attempt. */
export function deliveryHeaders(
  { emitId, emitterId, stream, eventId, trace }: DeliveredEvent,
  { secrets, body, now }: SignatureInput,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signature = signatureOf(`${emitId}.${timestamp}.${body}`, secrets);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': emitId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'x-tributary-emitter': emitterId,
    'x-tributary-event-name': headerText(stream),
    'user-agent': `Tributary/${VERSION}`,
  };
  if (eventId !== undefined) headers['x-tributary-event-id'] = eventId;
  // The signature differs between webhooks, and the time between the attempts of one.
  return Object.assign(headers, traceHeaders(trace ?? newTrace(emitId), `${now} ${signature}`));
}
