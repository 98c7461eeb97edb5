import { streamHeader } from '../../../../../../shared/domain/delivery/stream-header.ts';
import { contentTypeOf, type WebhookFormat } from '../../../../../../shared/domain/webhook/webhook-format.ts';
import type { Delivery, DeliveryWithAttempts } from '../../../api/wire.ts';

export interface ShownHeader {
  name: string;
  /** Undefined if it is made anew for each attempt, and not kept. */
  value: string | undefined;
}

export const MASKED = '••••';

type Sent = Pick<Delivery, 'emit_id' | 'emitter_id' | 'webhook_id' | 'event_name' | 'event_id'>;

/**
 * The headers of an attempt's request, from the facts of its delivery. Signatures and values of custom headers are
 * masked.
 */
export function requestHeaders(
  { emit_id, emitter_id, webhook_id, event_name, event_id }: Sent,
  { at_ms: ms }: Pick<DeliveryWithAttempts['attempt_log'][number], 'at_ms'>,
  customNames: readonly string[],
  format: WebhookFormat = 'event',
): ShownHeader[] {
  return [
    { name: 'content-type', value: contentTypeOf(format) },
    { name: 'user-agent', value: undefined },
    { name: 'webhook-id', value: emit_id },
    { name: 'webhook-timestamp', value: String(Math.floor(ms / 1_000)) },
    { name: 'webhook-signature', value: `v1,${MASKED}` },
    { name: 'x-tributary-emitter', value: emitter_id ?? webhook_id },
    { name: 'x-tributary-event-name', value: streamHeader(event_name || 'default') },
    ...(event_id === null ? [] : [{ name: 'x-tributary-event-id', value: event_id }]),
    { name: 'traceparent', value: undefined },
    ...customNames.map((name) => ({ name, value: MASKED })),
  ];
}
