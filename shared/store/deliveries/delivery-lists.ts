import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { DeliveryId, firstIdAt, type ListenerId, EmitterId } from '../../domain/id.ts';
import { LONGEST_HELD_MS, writtenAt } from './delivery-item.ts';
import { idsAfter } from './delivery-order.ts';
import { type DeliveryListName, listPartition, orderedPrefix } from '../table/keys.ts';
import { type TableOptions, keysBetween, queryPage } from '../table/table-client.ts';

const EntryItem = z.object({ sk: DeliveryId, expiresAt: z.number().optional() });

export interface ListEntry {
  id: DeliveryId;
  /** Epoch seconds. A delivery that joins the list again writes the entry anew, with another value. */
  expiresAt: number | undefined;
}

function toEntry(item: unknown): ListEntry {
  const { sk, expiresAt } = EntryItem.parse(item);
  return { id: sk, expiresAt };
}

/**
 * Whether an entry without its delivery can be removed. An entry is written before its delivery: while it is young, the
 * delivery may be on its way.
 */
export const isOrphan = ({ expiresAt }: ListEntry, now: number): boolean =>
  expiresAt === undefined || writtenAt(expiresAt) < now - ORPHAN_MS;
export const ORPHAN_MS = 120_000;

export type WaitingAndHeldDeliveries = ReturnType<typeof waitingAndHeldDeliveries>;

/** The lists of waiting and held deliveries: keys only, so that counting 10,000 of them reads less than 1 MB. */
export function waitingAndHeldDeliveries({ dynamo, tableName: TableName }: TableOptions) {
  const query = (
    pk: string,
    from: string,
    more: Pick<QueryCommandInput, 'Limit' | 'Select' | 'ExclusiveStartKey' | 'ScanIndexForward'>,
  ) =>
    dynamo.send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND sk >= :from',
        ExpressionAttributeValues: { ':pk': pk, ':from': from },
        ...more,
      }),
    );

  return {
    /** The oldest entries of a list: of deliveries that were created at this time or later, or that follow this one. */
    async oldest(
      list: DeliveryListName,
      listenerId: ListenerId,
      { limit, since = 0, after }: { limit: number; since?: number; after?: DeliveryId | undefined },
    ): Promise<ListEntry[]> {
      const from = after ? idsAfter(after) : firstIdAt('delivery', since);
      const { Items = [] } = await query(listPartition(list, listenerId), from, { Limit: limit });
      return Items.map(toEntry);
    },

    /** The newest entries of a list, newest first: those before this delivery. */
    async newest(
      list: DeliveryListName,
      listenerId: ListenerId,
      { limit, before }: { limit: number; before?: DeliveryId | undefined },
    ): Promise<ListEntry[]> {
      const pk = listPartition(list, listenerId);
      const { Items = [] } = await query(pk, firstIdAt('delivery', 0), {
        Limit: limit,
        ScanIndexForward: false,
        ...(before === undefined ? {} : { ExclusiveStartKey: { pk, sk: before } }),
      });
      return Items.map(toEntry);
    },

    /** Held deliveries, without those that were held for too long. */
    async heldCount(listenerId: ListenerId, now: number): Promise<number> {
      const pk = listPartition('held', listenerId);
      const from = firstIdAt('delivery', now - LONGEST_HELD_MS);
      let count = 0;
      let next: { ExclusiveStartKey?: Record<string, unknown> } | undefined = {};
      while (next) {
        const { Count = 0, LastEvaluatedKey } = await query(pk, from, { Select: 'COUNT', ...next });
        count += Count;
        next = LastEvaluatedKey && { ExclusiveStartKey: LastEvaluatedKey };
      }
      return count;
    },
  };
}

/** An entry of the deliveries that are sent in the order of their emitters. */
export interface OrderedEntry extends ListEntry {
  emitterId: EmitterId;
}

const OrderedItem = z.object({ sk: z.string(), expiresAt: z.number().optional() });

function toOrderedEntry(item: unknown): OrderedEntry {
  const { sk, expiresAt } = OrderedItem.parse(item);
  const [emitterId, id] = sk.split('#');
  return { emitterId: EmitterId.parse(emitterId), id: DeliveryId.parse(id), expiresAt };
}

/** Sort before and after every key of the list. */
const [FIRST, LAST] = ['!', '~'];

export type OrderedList = ReturnType<typeof orderedList>;

/**
 * The deliveries of webhooks that are sent in the order of their emitters: keys only, sorted by emitter, oldest first.
 */
export function orderedList(table: TableOptions) {
  const query = async (listenerId: ListenerId, keys: { from: string; to: string; limit: number }) => {
    const between = keysBetween(listPartition('ordered', listenerId), keys.from, keys.to);
    return (await queryPage(table, { ...between, Limit: keys.limit })).map(toOrderedEntry);
  };

  return {
    /** The oldest entry of each emitter: a query for each. Emitters after this one, sorted by id. */
    async *heads(listenerId: ListenerId, after?: EmitterId): AsyncGenerator<OrderedEntry> {
      for (let from = after ? `${orderedPrefix(after)}${LAST}` : FIRST; ;) {
        const [head] = await query(listenerId, { from, to: LAST, limit: 1 });
        if (!head) return;
        yield head;
        from = `${orderedPrefix(head.emitterId)}${LAST}`;
      }
    },

    /** The oldest entries of one emitter. */
    ofEmitter(listenerId: ListenerId, emitterId: EmitterId, limit: number): Promise<OrderedEntry[]> {
      const prefix = orderedPrefix(emitterId);
      return query(listenerId, { from: prefix, to: `${prefix}${LAST}`, limit });
    },
  };
}
