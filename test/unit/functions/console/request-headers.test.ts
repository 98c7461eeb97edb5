import { describe, expect, test } from 'vitest';
import { MASKED, requestHeaders } from '../../../../functions/console/app/pages/webhooks/delivery/request-headers.ts';
import * as examples from '../../../../shared/http/openapi/examples.ts';
import { DeliveryResponse } from '../../../../shared/http/webhook-responses.ts';
import { deliveryHeaders } from '../../../../shared/domain/delivery/signature.ts';
import { EventId } from '../../../../shared/domain/event/event-id.ts';
import { EmitterId } from '../../../../shared/domain/id.ts';
import { headersByName } from '../../../../shared/lib/header-list.ts';

const delivery = DeliveryResponse.parse(examples.delivery);
const AT_MS = 1_700_000_000_999;

describe('the shown headers of a request', () => {
  test.each(['', '$errors', 'größe'])('are those that are sent in the stream "%s"', (name) => {
    const sent = headersByName(
      deliveryHeaders(
        {
          emitId: delivery.emit_id,
          emitterId: EmitterId.parse(delivery.emitter_id),
          stream: name || 'default',
          eventId: EventId.parse(delivery.event_id),
        },
        { keys: [Buffer.from('key')], body: '{}', now: AT_MS },
      ),
    );
    const shown = requestHeaders({ ...delivery, event_name: name }, { at_ms: AT_MS }, []);
    expect(shown.map((header) => header.name).sort()).toEqual(Object.keys(sent).sort());
    const known = shown.filter(({ value }) => value !== undefined && !value.includes(MASKED));
    expect(known).toHaveLength(6);
    for (const { name: header, value } of known) expect(value, header).toBe(sent[header]);
  });

  test('have no signature and no value of a custom header', () => {
    const shown = requestHeaders(delivery, { at_ms: AT_MS }, ['authorization', 'x-key']);
    expect(shown.filter(({ value }) => value?.includes(MASKED))).toEqual([
      { name: 'webhook-signature', value: `v1,${MASKED}` },
      { name: 'authorization', value: MASKED },
      { name: 'x-key', value: MASKED },
    ]);
  });

  test('have the type of the body in the format of the webhook', () => {
    const [type] = requestHeaders(delivery, { at_ms: AT_MS }, [], 'cloudevents');
    expect(type).toEqual({ name: 'content-type', value: 'application/cloudevents+json' });
  });

  test('of a test name the webhook as emitter, and no event', () => {
    const shown = requestHeaders({ ...delivery, emitter_id: null, event_id: null }, { at_ms: AT_MS }, []);
    expect(shown).toContainEqual({ name: 'x-tributary-emitter', value: delivery.webhook_id });
    expect(shown.some(({ name }) => name === 'x-tributary-event-id')).toBe(false);
  });
});
