import type { Bucket } from '../../aws/bucket.ts';
import { deliveryPayloadKey } from '../../aws/object-keys.ts';
import { copiedPayload, releasePayload, storedPayload } from '../../aws/payloads.ts';
import { isOwnObject, type Payload } from '../../domain/event/payload.ts';
import type { Attempt } from '../../domain/delivery/delivery.ts';
import type { DeliveryId } from '../../domain/id.ts';
import type { DeliveryStore } from '../../store/deliveries/deliveries.ts';
import type { DeliveryBody } from '../../store/deliveries/delivery-bodies.ts';
import type { DeliveryBytes } from '../../store/deliveries/delivery-bytes.ts';
import type { StoredDelivery } from '../../store/deliveries/delivery-item.ts';

/** Deliveries that own their payloads, and count their bytes. */
export interface OwnedDeliveries extends Omit<
  DeliveryStore,
  'create' | 'body' | 'replaceBody' | 'removeBody' | 'remove'
> {
  /**
   * Creates the delivery unless it exists, with a payload of its own: that of its event's message is deleted when the
   * message is done.
   */
  create(
    delivery: StoredDelivery,
    contents: { payload?: Payload | undefined; attempt?: Attempt | undefined },
  ): Promise<boolean>;
  /** Undefined when it was dropped, or has expired. */
  payload(id: DeliveryId): Promise<Payload | undefined>;
  restorePayload(delivery: StoredDelivery, json: string, request: string): Promise<void>;
  /** Deletes the payload of a delivery that was delivered, unless an attempt is requested. */
  dropPayload(delivery: Pick<StoredDelivery, 'id' | 'listenerId'>): Promise<void>;
  remove(delivery: StoredDelivery): Promise<void>;
  /** Like {@link OwnedDeliveries.remove}, of a listener whose bytes are forgotten. */
  forget(delivery: StoredDelivery): Promise<void>;
}

interface OwnedDeliveriesOptions {
  deliveries: DeliveryStore;
  bucket: Pick<Bucket, 'putText' | 'copyIfPresent' | 'delete'>;
  /** Takes a change of the bytes that are stored. */
  count(change: DeliveryBytes): void | Promise<void>;
  now(): number;
}

export function ownedDeliveries({ deliveries, bucket, count, now }: OwnedDeliveriesOptions): OwnedDeliveries {
  const { body, replaceBody, removeBody, ...others } = deliveries;

  const countBody = async (
    { ownerId, listenerId, emitterId }: StoredDelivery,
    { bytes = 0, at }: DeliveryBody,
    sign: 1 | -1,
  ): Promise<void> => {
    if (at !== undefined && bytes > 0) await count({ ownerId, listenerId, emitterId, at, bytes: sign * bytes });
  };

  const bodyOf = (payload: Payload): DeliveryBody => ({
    payload,
    bytes: 'json' in payload ? Buffer.byteLength(payload.json) : (payload.bytes ?? 0),
    at: now(),
  });

  /** The object goes first: without it the item is of no use, and a repetition removes that. */
  async function drop(delivery: StoredDelivery, stored: DeliveryBody): Promise<void> {
    await releasePayload(bucket, stored.payload);
    const removed = await removeBody(delivery.id, stored);
    if (removed) await countBody(delivery, removed, -1);
  }

  async function dropPayload({ id, listenerId }: Pick<StoredDelivery, 'id' | 'listenerId'>): Promise<void> {
    // A request to redeliver that is recorded after this read stores a payload with another mark.
    const stored = await body(id);
    if (!stored) return;
    const delivery = await deliveries.find(listenerId, id);
    if (delivery?.status === 'delivered' && (delivery.requested?.size ?? 0) === 0) await drop(delivery, stored);
  }

  return {
    ...others,
    dropPayload,

    async create(delivery, { payload, attempt }) {
      const { listenerId, id } = delivery;
      const key = deliveryPayloadKey(listenerId, id);
      const own =
        payload && isOwnObject(payload) && payload.key !== key ? await copiedPayload(bucket, payload, key) : payload;
      if (payload && !own) return false;
      const created = own && bodyOf(own);
      if (await deliveries.create(delivery, { body: created, attempt })) {
        if (created) await countBody(delivery, created, 1);
        return true;
      }
      if (created) await dropPayload(delivery);
      return false;
    },

    payload: async (id) => (await body(id))?.payload,

    async restorePayload(delivery, json, request) {
      const key = deliveryPayloadKey(delivery.listenerId, delivery.id, request);
      const restored = { ...bodyOf(await storedPayload(bucket, { json }, key)), mark: request };
      const before = await replaceBody(delivery.id, restored);
      await countBody(delivery, restored, 1);
      if (!before) return;
      await releasePayload(bucket, before.payload);
      await countBody(delivery, before, -1);
    },

    async record(delivery, recorded) {
      const isRecorded = await deliveries.record(delivery, recorded);
      if (isRecorded && recorded.progress.status === 'delivered') await dropPayload(delivery);
      return isRecorded;
    },

    async remove(delivery) {
      const stored = await body(delivery.id);
      if (stored) await drop(delivery, stored);
      await deliveries.remove(delivery.listenerId, delivery.id);
    },

    async forget({ listenerId, id }) {
      const stored = await body(id);
      if (stored) {
        await releasePayload(bucket, stored.payload);
        await removeBody(id, stored);
      }
      await deliveries.remove(listenerId, id);
    },
  };
}
