import type { EventId } from '../../domain/event/event-id.ts';
import type { EmitterId, UserId } from '../../domain/id.ts';
import { MAX_DELAYED_EMITS } from '../../domain/limits.ts';
import { DELAYED_STREAM } from '../../domain/event/stream.ts';
import { countDownBy, countUp } from '../table/counts.ts';
import { fromEventItem, toEventItem } from './event-batch.ts';
import { type EventRef, type NewEvent, type StoredEvent, storedSize } from './event-item.ts';
import { type EventBodies, holdEvents } from './events.ts';
import { bodyKey, delayedCountKey, eventKey, streamPartition } from '../table/keys.ts';
import { storedEventStore } from './stored-events.ts';
import { readItems } from '../table/read-items.ts';
import {
  deleteItem,
  getItem,
  IS_NEW,
  queryPages,
  type TableOptions,
  transact,
  wholePartition,
  type Writes,
} from '../table/table-client.ts';

interface Owned {
  emitterId: EmitterId;
  ownerId: UserId;
}

/** The limit that a delayed emit would exceed. */
export type DelayedLimit = 'source' | 'user';

/** The first events of some, as many as the limits allow. */
interface Accepted {
  accepted: number;
  /** The limit that refuses the next one; absent when all are accepted. */
  limit?: DelayedLimit;
}

/** An event that waits on stream `$in`; `json` is complete. */
export type DelayedEvent = Pick<StoredEvent, 'json' | 'ownId' | 'summary' | 'ts'>;

export type DelayedEmitStore = ReturnType<typeof delayedEmitStore>;

/** Events of one transaction, which has the items of two limits besides. */
export const MAX_CONCURRENT_EVENTS = 25;

/**
 * Delayed emits are counted in the transaction that stores or removes them, so that a repetition counts nothing twice.
 */
export function delayedEmitStore(table: TableOptions, bodies: EventBodies) {
  const { put, take } = countedWrites(table, bodies);
  const stored = storedEventStore(table, bodies);

  /** Each of these events has an item of its own. */
  async function find(emitterId: EmitterId, id: EventId): Promise<StoredEvent | undefined> {
    const Item = await getItem(table, eventKey(emitterId, DELAYED_STREAM, id));
    return Item && fromEventItem(DELAYED_STREAM, Item)[0];
  }

  async function addOne(owned: Owned, event: NewEvent): Promise<DelayedLimit | undefined> {
    const failed = await put(owned, [event]);
    // Stored before.
    if (failed === undefined || failed === 0) return undefined;
    await bodies.delete({ emitterId: owned.emitterId, stream: event.stream, id: event.id });
    return failed === 1 ? 'source' : 'user';
  }

  async function remove(owned: Owned, events: readonly Removed[]): Promise<void> {
    if (events.length === 0) return;
    const { emitterId } = owned;
    for (const { id, body } of events)
      if (body === 'object') await bodies.delete({ emitterId, stream: DELAYED_STREAM, id });
    if ((await take(owned, events)) || events.length === 1) return;
    for (const event of events) await take(owned, [event]);
  }

  return {
    /**
     * Stores events and counts them, once however often it is repeated. At most {@link MAX_CONCURRENT_EVENTS}, with 2
     * MB.
     */
    async add(owned: Owned, events: readonly NewEvent[]): Promise<Accepted> {
      if (events.length > 1 && (await put(owned, events)) === undefined) return { accepted: events.length };
      // Some are stored already, or a limit leaves place for some only.
      for (const [index, event] of events.entries()) {
        const limit = await addOne(owned, event);
        if (limit !== undefined) return { accepted: index, limit };
      }
      return { accepted: events.length };
    },

    /** Undefined once the event was removed. */
    async find(emitterId: EmitterId, id: EventId): Promise<DelayedEvent | undefined> {
      const event = await find(emitterId, id);
      return event && { ...event, json: await stored.whole(emitterId, event) };
    },

    /** Whether the event was neither emitted nor deleted. */
    isWaiting: async (emitterId: EmitterId, id: EventId): Promise<boolean> => (await find(emitterId, id)) !== undefined,

    /** The events of an emitter that wait, a page at a time. */
    async *pages(emitterId: EmitterId): AsyncGenerator<StoredEvent[]> {
      const query = wholePartition(streamPartition(emitterId, DELAYED_STREAM));
      for await (const page of queryPages(table, query))
        yield readItems(table, page, (item) => fromEventItem(DELAYED_STREAM, item)).flat();
    },

    /**
     * Removes events with their bodies, and counts them down. Events that are gone are ignored. At most {@link
     * MAX_CONCURRENT_EVENTS}.
     */
    remove,

    async forget(emitterId: EmitterId): Promise<void> {
      await deleteItem(table, { Key: delayedCountKey(emitterId) });
    },

    /** Removes the event with this id, if it waits. */
    async complete(owned: Owned, id: EventId): Promise<void> {
      const event = await find(owned.emitterId, id);
      if (event) await remove(owned, [event]);
    },
  };
}

type Removed = Pick<EventRef, 'id' | 'body' | 'bytes'>;

/** Writes of events together with the counts of their source and their user. */
function countedWrites(table: TableOptions, bodies: EventBodies) {
  const { tableName: TableName } = table;
  const holdEvent = holdEvents(bodies);

  const countOf = (emitterId: EmitterId, change: number): Writes[number] => ({
    Update: {
      TableName,
      Key: delayedCountKey(emitterId),
      UpdateExpression: 'ADD n :change',
      ...(change > 0
        ? {
            ConditionExpression: 'attribute_not_exists(n) OR n <= :most',
            ExpressionAttributeValues: { ':change': change, ':most': MAX_DELAYED_EMITS.source - change },
          }
        : { ExpressionAttributeValues: { ':change': change } }),
    },
  });

  /**
   * Undefined when all are stored, else the index of the write that failed: an event's, or that of the source's or the
   * user's count.
   */
  async function put({ emitterId, ownerId }: Owned, events: readonly NewEvent[]): Promise<number | undefined> {
    const held = await Promise.all(events.map((event) => holdEvent(emitterId, event)));
    const result = await transact(table, [
      ...held.map(({ event }) => ({ Put: { TableName, Item: toEventItem(emitterId, [event]), ...IS_NEW } })),
      countOf(emitterId, events.length),
      countUp(TableName, ownerId, {
        counted: 'delayedEmits',
        limit: MAX_DELAYED_EMITS.user,
        by: events.length,
        bytes: events.reduce((sum, event) => sum + storedSize(event), 0),
      }),
      ...held.flatMap(({ body }) => body.map((Item) => ({ Put: { TableName, Item } }))),
    ]);
    return result.ok ? undefined : result.failed;
  }

  /** False, and nothing is removed, when one of them is gone. */
  async function take({ emitterId, ownerId }: Owned, events: readonly Removed[]): Promise<boolean> {
    const { ok } = await transact(table, [
      ...events.map(({ id }) => ({
        Delete: {
          TableName,
          Key: eventKey(emitterId, DELAYED_STREAM, id),
          ConditionExpression: 'attribute_exists(pk)',
        },
      })),
      countOf(emitterId, -events.length),
      countDownBy(TableName, ownerId, {
        counted: 'delayedEmits',
        by: events.length,
        bytes: events.reduce((sum, { bytes }) => sum + bytes, 0),
      }),
      ...events
        .filter(({ body }) => body === 'item')
        .map(({ id }) => ({ Delete: { TableName, Key: bodyKey(emitterId, DELAYED_STREAM, id) } })),
    ]);
    return ok;
  }

  return { put, take };
}
