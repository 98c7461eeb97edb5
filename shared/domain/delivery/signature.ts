import { createHmac } from 'node:crypto';
import { type EventId } from '../event/event-id.ts';
import type { HeaderList } from '../../lib/header-list.ts';
import type { EmitterId, WebhookId } from '../id.ts';
import type { StreamName } from '../event/stream.ts';
import { newTrace, traceHeaders, type Trace } from '../event/trace.ts';
import { VERSION } from '../version.ts';
import { streamHeader } from './stream-header.ts';

export interface SignatureInput {
  /** Several during a secret rotation. */
  keys: readonly Uint8Array[];
  /** Bytes, so that an event is encoded once for all its webhooks. */
  body: string | Uint8Array;
  /** Epoch ms of this attempt. */
  now: number;
  /** Media type of the body. */
  contentType?: string;
}

/** The key of a secret: `whsec_` and base64. */
export const signingKey = (secret: string): Uint8Array => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/**
 * Standard Webhooks 1.0, symmetric:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
const signatureOf = (start: string, { keys, body }: SignatureInput): string =>
  keys
    .map((key) => {
      const hmac = createHmac('sha256', key).update(start).update(body);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');

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

/** One event, as sent to a listener. */
export interface OutgoingEvent extends DeliveredEvent {
  /** JSON of the bare event in UTF-8. */
  body: Buffer;
  /** Time of storing, epoch ms. Absent for a test. */
  indexedAt?: number | undefined;
}

const USER_AGENT = `Tributary/${VERSION}`;

export function deliveryHeaders(
  { emitId, emitterId, stream, eventId, trace }: DeliveredEvent,
  input: SignatureInput,
): HeaderList {
  const { now, contentType = 'application/json' } = input;
  const timestamp = String(Math.floor(now / 1000));
  const signature = signatureOf(`${emitId}.${timestamp}.`, input);
  // The signature differs between webhooks, and the time between the attempts of one.
  const { traceparent, tracestate } = traceHeaders(trace ?? newTrace(emitId), `${now} ${signature}`);
  const headers = [
    'content-type',
    contentType,
    'webhook-id',
    emitId,
    'webhook-timestamp',
    timestamp,
    'webhook-signature',
    signature,
    'x-tributary-emitter',
    emitterId,
    'x-tributary-event-name',
    streamHeader(stream),
    'user-agent',
    USER_AGENT,
    'traceparent',
    traceparent,
  ];
  if (tracestate !== undefined) headers.push('tracestate', tracestate);
  if (eventId !== undefined) headers.push('x-tributary-event-id', eventId);
  return headers;
}
