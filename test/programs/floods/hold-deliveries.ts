import { deliveryIdOf } from '../../../shared/domain/delivery/delivery.ts';
import { eventId } from '../../../shared/domain/event/event-id.ts';
import { SourceId, UserId, WebhookId } from '../../../shared/domain/id.ts';
import { batchWrite } from '../../../shared/store/table/batch-write.ts';
import { type StoredDelivery, toDeliveryItem } from '../../../shared/store/deliveries/delivery-item.ts';
import { deliveryBodyKey, deliveryKey, listEntryKey } from '../../../shared/store/table/keys.ts';
import type { Hook, Scene } from '../../support/scene.ts';
import { tableOf } from '../../support/stores.ts';

/** The most that a webhook holds. */
export const MAX_HELD = 10_000;

/** Held deliveries as a fan-out to an inactive webhook stores them: too many to emit in a test. */
export async function holdDeliveries(
  scene: Scene,
  { hook, count, startMs }: { hook: Hook; count: number; startMs: number },
): Promise<void> {
  const ownerId = UserId.parse((await scene.api.get('/users/me')).body.data.id);
  const [listenerId, emitterId] = [WebhookId.parse(hook.id), SourceId.parse('dc_emitter')];
  const items: Record<string, unknown>[] = [];
  for (let n = 0; n < count; n += 1) {
    const event = { emitId: `emit-${n}`, eventId: eventId({ ms: startMs + n, sequence: 0 }) };
    const id = deliveryIdOf(event, listenerId);
    const delivery: StoredDelivery = {
      ...{ id, listenerId, ownerId, emitterId, stream: 'default', ...event },
      ...{ status: 'held', list: 'held', attemptCount: 0, scheduleStep: 0, messageNumber: 0 },
    };
    items.push(
      { ...deliveryKey(listenerId, id), ...toDeliveryItem(delivery) },
      { ...deliveryBodyKey(id), payload: { json: JSON.stringify({ n }) } },
      listEntryKey('held', { id, listenerId }),
    );
  }
  await batchWrite(
    tableOf(scene.cloud),
    items.map((Item) => ({ PutRequest: { Item } })),
  );
}
