import type { OutgoingEvent } from '../delivery/signature.ts';
import { positionOf } from '../event/event-id.ts';
import { isWebhookId, isWorkflowId } from '../id.ts';

const CLOSING_BRACE = Buffer.of(0x7d);

/**
 * The event in the structured mode of CloudEvents 1.0:
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md. The text of `data` is as emitted.
 */
export function cloudEventOf(
  { emitId, emitterId, stream, eventId, indexedAt, body }: OutgoingEvent,
  now: number,
): Buffer {
  const attributes = JSON.stringify({
    specversion: '1.0',
    id: emitId,
    source: `/${listOf(emitterId)}/${emitterId}`,
    type: stream,
    // Messages of earlier releases lack the time of storing: the event's own time is near it.
    time: new Date(indexedAt ?? (eventId === undefined ? now : positionOf(eventId).ms)).toISOString(),
    datacontenttype: 'application/json',
  });
  return Buffer.concat([Buffer.from(`${attributes.slice(0, -1)},"data":`), body, CLOSING_BRACE]);
}

/** A test comes from the webhook itself. */
function listOf(id: OutgoingEvent['emitterId']): string {
  if (isWebhookId(id)) return 'webhooks';
  return isWorkflowId(id) ? 'workflows' : 'sources';
}
