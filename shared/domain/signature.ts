import { createHmac } from 'node:crypto';
import { type EventId } from './event-id.ts';
import type { EmitterId } from './id.ts';
import type { StreamName } from './stream.ts';
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
function signatureHeaders({ emitId, secrets, body, now }: SignatureInput): Record<string, string> {
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
  emitterId: EmitterId;
  stream: StreamName;
  eventId: EventId;
}

/** All headers of an attempt. */
export const deliveryHeaders = ({
  emitterId,
  stream,
  eventId,
  ...signed
}: SignatureInput & DeliveredEvent): Record<string, string> => ({
  'content-type': 'application/json',
  ...signatureHeaders(signed),
  'x-tributary-emitter': emitterId,
  'x-tributary-event-name': headerText(stream),
  'x-tributary-event-id': eventId,
  'user-agent': `Tributary/${VERSION}`,
});
