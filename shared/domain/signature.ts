import { createHmac } from 'node:crypto';
import { type EventId } from './event-id.ts';
import type { EmitterId, WebhookId } from './id.ts';
import type { StreamName } from './stream.ts';
import { newTrace, traceHeaders, type Trace } from './trace.ts';
import { VERSION } from './version.ts';

export interface SignatureInput {
  /** `webhook-id`: the emit id, the same for every attempt. */
  emitId: string;
  /** `whsec_` and base64; several during a secret rotation. */
  secrets: readonly string[];
  body: string;
  /** Epoch ms of this attempt. */
  now: number;
}

const keyOf = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** Standard Webhooks 1.0, symmetric: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function signatureHeaders({ emitId, secrets, body, now }: SignatureInput) {
  const timestamp = String(Math.floor(now / 1000));
  const signed = `${emitId}.${timestamp}.${body}`;
  return {
    'webhook-id': emitId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets
      .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`)
      .join(' '),
  };
}

/** Percent-encodes the stream name, the only user input in a header. */
const headerText = (stream: StreamName) => encodeURIComponent(stream).replaceAll('%24', '$');

export interface DeliveredEvent {
  /** The webhook itself, for a test of it. */
  emitterId: EmitterId | WebhookId;
  stream: StreamName;
  /** Absent for a test. */
  eventId?: EventId | undefined;
  /** Absent in deliveries that an earlier release stored. */
  trace?: Trace | undefined;
}

/** All headers of an attempt. */
export function deliveryHeaders({
  emitterId,
  stream,
  eventId,
  trace,
  ...signed
}: SignatureInput & DeliveredEvent): Record<string, string> {
  const signature = signatureHeaders(signed);
  return {
    'content-type': 'application/json',
    ...signature,
    // The signature differs between webhooks, and the time between the attempts of one.
    ...traceHeaders(trace ?? newTrace(signed.emitId), `${signed.now} ${signature['webhook-signature']}`),
    'x-tributary-emitter': emitterId,
    'x-tributary-event-name': headerText(stream),
    ...(eventId === undefined ? {} : { 'x-tributary-event-id': eventId }),
    'user-agent': `Tributary/${VERSION}`,
  };
}
