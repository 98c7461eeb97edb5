import * as z from 'zod';
import { EmitterId, type ListenerId, type UserId } from '../../domain/id.ts';
import { hourTextOf } from '../../domain/user/activity.ts';
import { dayOf } from '../../domain/user/user.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { addOnce } from '../table/add-once.ts';
import { batchWrite, removals } from '../table/batch-write.ts';
import { DELIVERY_LIFETIME_MS } from './delivery-item.ts';
import { deliveryBytesKey, deliveryBytesPrefix, userPartition } from '../table/keys.ts';
import { beginningWith, queryAll, type TableOptions } from '../table/table-client.ts';

/** A change of the bytes that the payloads of one listener's deliveries take. */
export interface DeliveryBytes {
  ownerId: UserId;
  listenerId: ListenerId;
  /** Absent for a test. */
  emitterId: EmitterId | undefined;
  /** Time of the storing, epoch ms. */
  at: number;
  /** Below 0 for payloads that were removed. */
  bytes: number;
}

export type DeliveryBytesStore = ReturnType<typeof deliveryBytesStore>;

const BytesItem = z.looseObject({ pk: z.string(), sk: z.string() });
/** The attribute of an hour and emitter: `05dc_…`, or `05` for tests. */
const ATTRIBUTE = /^(\d\d)((?:dc|p)_.*)?$/;
const attributeOf = ({ at, emitterId }: Pick<DeliveryBytes, 'at' | 'emitterId'>): string =>
  hourTextOf(at).slice(-2) + (emitterId ?? '');

/**
 * Bytes of the payloads that deliveries store, by the hour of their storing: a payload that expires is not subtracted.
 * An item for each listener and UTC day.
 */
export function deliveryBytesStore(table: TableOptions) {
  return {
    /** Adds changes of one listener and day with one write. */
    async add([first, ...others]: readonly DeliveryBytes[]): Promise<void> {
      if (!first) return;
      const sums = new Map<string, number>();
      for (const change of [first, ...others]) {
        const name = attributeOf(change);
        sums.set(name, (sums.get(name) ?? 0) + change.bytes);
      }
      const counts = [...sums].filter(([, sum]) => sum !== 0);
      if (counts.length === 0) return;
      await addOnce(table, deliveryBytesKey(first.ownerId, first.listenerId, dayOf(first.at)), {
        counts,
        expiresAt: Math.floor((first.at + DELIVERY_LIFETIME_MS + 2 * DAY_MS) / 1_000),
      });
    },

    /** The bytes of a user's deliveries, by the emitters of their events; `undefined` for tests. */
    async byEmitter(ownerId: UserId, now: number): Promise<Map<EmitterId | undefined, number>> {
      const items = await queryAll(table, {
        ...beginningWith(userPartition(ownerId), deliveryBytesPrefix()),
        ConsistentRead: false,
      });
      const since = hourTextOf(now - DELIVERY_LIFETIME_MS);
      const sums = new Map<EmitterId | undefined, number>();
      for (const { sk, ...attributes } of items.map((item) => BytesItem.parse(item))) {
        const day = sk.slice(sk.lastIndexOf('#') + 1);
        for (const [name, bytes] of Object.entries(attributes)) {
          const [, hour, emitter] = ATTRIBUTE.exec(name) ?? [];
          if (hour === undefined || typeof bytes !== 'number' || `${day}T${hour}` < since) continue;
          const { data: emitterId } = EmitterId.safeParse(emitter);
          // A crash may have lost an addition.
          sums.set(emitterId, (sums.get(emitterId) ?? 0) + Math.max(bytes, 0));
        }
      }
      return sums;
    },

    async forget(ownerId: UserId, listenerId: ListenerId): Promise<void> {
      const items = await queryAll(table, beginningWith(userPartition(ownerId), deliveryBytesPrefix(listenerId)));
      await batchWrite(table, removals(items.map((item) => BytesItem.parse(item))));
    },
  };
}
