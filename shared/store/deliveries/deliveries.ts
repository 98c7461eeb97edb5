import type { Attempt, DeliveryStatus } from '../../domain/delivery/delivery.ts';
import type { DeliveryId, ListenerId } from '../../domain/id.ts';
import { batchedPuts } from '../table/batch-write.ts';
import { readAttempts, toAttemptItem } from './delivery-attempts.ts';
import { type DeliveryBody, deliveryBodies } from './delivery-bodies.ts';
import { deliveryChanges, type LeavingEntry } from './delivery-changes.ts';
import { expiryOf, fromDeliveryItem, type StoredDelivery, toDeliveryItem } from './delivery-item.ts';
import type { IdRange } from './delivery-order.ts';
import {
  type DeliveryListName,
  deliveriesPartition,
  deliveryBodyKey,
  deliveryKey,
  listEntryKey,
} from '../table/keys.ts';
import { readInSteps, readItems, readOne } from '../table/read-items.ts';
import {
  deleteItem,
  putItem,
  IS_NEW,
  batchGet,
  getItem,
  keysBetween,
  queryPages,
  type TableOptions,
  transact,
} from '../table/table-client.ts';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

const PAGE = 200;

/** The items may be of more statuses: one that was held becomes discarded without a write. */
const withStatus = (
  { ExpressionAttributeValues: values, ...keys }: ReturnType<typeof keysBetween>,
  status: DeliveryStatus,
) => ({
  ...keys,
  FilterExpression: '#status IN (:status, :before)',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ...values, ':status': status, ':before': status === 'discarded' ? 'held' : status },
});

export interface DeliveryContents {
  body?: DeliveryBody | undefined;
  /** The attempt that was made before. */
  attempt?: Attempt | undefined;
}

/**
 * Deliveries that did not succeed at their first attempt: an item each, their payload and attempts in items of their
 * own.
 */
export function deliveryStore(table: TableOptions, now: () => number) {
  const { tableName: TableName } = table;
  const putAll = batchedPuts(table);

  async function find(listenerId: ListenerId, id: DeliveryId): Promise<StoredDelivery | undefined> {
    const Item = await getItem(table, deliveryKey(listenerId, id));
    return Item && readOne(id, () => fromDeliveryItem(Item, now()));
  }

  /**
   * Removes the entry of a delivery that is not on the list. An entry that was written anew stays: the delivery joins
   * the list again.
   */
  const leaveList = async (list: DeliveryListName, { expiresAt, ...entry }: LeavingEntry): Promise<void> => {
    const isSame = expiresAt === undefined ? '' : ' OR expiresAt <= :expiresAt';
    await deleteItem(table, {
      Key: listEntryKey(list, entry),
      ConditionExpression: `attribute_not_exists(expiresAt)${isSame}`,
      ...(expiresAt === undefined ? {} : { ExpressionAttributeValues: { ':expiresAt': expiresAt } }),
    });
  };

  return {
    find,
    leaveList,

    /**
     * Creates the delivery unless it exists. The payload comes first, and the entry of a waiting delivery: a reader of
     * that list removes entries whose delivery is elsewhere. `held_count` counts the other list: an entry joins it
     * together with its delivery.
     */
    async create(delivery: StoredDelivery, { body, attempt }: DeliveryContents): Promise<boolean> {
      const { id, listenerId, list } = delivery;
      const expiresAt = expiryOf(now());
      const items = [
        ...(body ? [{ ...deliveryBodyKey(id), ...body }] : []),
        ...(list === undefined || list === 'held' ? [] : [listEntryKey(list, delivery)]),
        ...(attempt ? [toAttemptItem(id, attempt)] : []),
      ];
      await putAll(items.map((item) => ({ ...item, expiresAt })));
      const put = {
        TableName,
        Item: { ...deliveryKey(listenerId, id), ...toDeliveryItem(delivery), expiresAt },
        ...IS_NEW,
      };
      if (list === 'held') {
        const entry = { TableName, Item: { ...listEntryKey(list, delivery), expiresAt } };
        return (await transact(table, [{ Put: put }, { Put: entry }])).ok;
      }
      return await putItem(table, put);
    },

    async findAll(ids: readonly { listenerId: ListenerId; id: DeliveryId }[]): Promise<StoredDelivery[]> {
      const keys = ids.map(({ listenerId, id }) => deliveryKey(listenerId, id));
      return readItems(table, await batchGet(table, keys), (item) => fromDeliveryItem(item, now()));
    },

    ...deliveryBodies(table, now),

    attempts: (id: DeliveryId): Promise<Attempt[]> => readAttempts(table, id),

    ...deliveryChanges(table, { leaveList, now }),

    async remove(listenerId: ListenerId, id: DeliveryId): Promise<void> {
      await deleteItem(table, { Key: deliveryKey(listenerId, id) });
    },

    /** Deliveries with ids between `from` and `to`, in the order of their ids; with a status, only those. */
    async *read(
      listenerId: ListenerId,
      { from, to, isUpwards }: IdRange,
      { pageSize = PAGE, status }: { pageSize?: number; status?: DeliveryStatus | undefined } = {},
    ): AsyncGenerator<StoredDelivery> {
      const keys = keysBetween(deliveriesPartition(listenerId), from, to);
      const pages = queryPages(table, {
        ...(status === undefined ? keys : withStatus(keys, status)),
        ScanIndexForward: isUpwards,
        Limit: pageSize,
      });
      for await (const page of pages) yield* readInSteps(table, page, (item) => fromDeliveryItem(item, now()));
    },
  };
}
