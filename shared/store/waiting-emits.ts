import { DeleteCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { EventId } from '../domain/event/event-id.ts';
import type { EmitterId, UserId } from '../domain/id.ts';
import { MAX_DELAYED_EMITS } from '../domain/limits.ts';
import { DELAYED_STREAM } from '../domain/event/stream.ts';
import { countDown, countUp } from './counts.ts';
import { fromEventItem, toEventItem } from './event-batch.ts';
import { type EventRef, type NewEvent, type StoredEvent, storedSize } from './event-item.ts';
import { type EventBodies, holdEvents } from './events.ts';
import { bodyKey, delayedCountKey, eventKey, streamPartition } from './keys.ts';
import { storedEventStore } from './stored-events.ts';
import { readItems } from './read-items.ts';
import { queryPages, type TableOptions, transact, type Writes } from './table-client.ts';

interface Owned {
  emitterId: EmitterId;
  ownerId: UserId;
}

/** The limit that a delayed emit would exceed. */
export type DelayedLimit = 'source' | 'user';

/** An event that waits on stream `$in`; `json` is complete. */
export type DelayedEvent = Pick<StoredEvent, 'json' | 'ownId' | 'summary' | 'ts'>;

export interface DelayedEmitStore {
  /** Stores an event and counts it, once however often it is repeated. Returns the limit that refuses it. */
  add(owned: Owned, event: NewEvent): Promise<DelayedLimit | undefined>;
  /** Undefined once the event was removed. */
  find(emitterId: EmitterId, id: EventId): Promise<DelayedEvent | undefined>;
  /** Whether the event was neither emitted nor deleted. */
  isWaiting(emitterId: EmitterId, id: EventId): Promise<boolean>;
  /** The events of an emitter that wait, a page at a time. */
  pages(emitterId: EmitterId): AsyncGenerator<StoredEvent[]>;
  /** Removes an event with its body, and its count. Events that are gone are ignored. */
  remove(owned: Owned, event: EventRef): Promise<void>;
  /** Removes the count of a deleted emitter. */
  forget(emitterId: EmitterId): Promise<void>;
  /** Removes the event with this id, if it waits. */
  complete(owned: Owned, id: EventId): Promise<void>;
}

/** Delayed emits are counted in the transaction that stores or removes one, so that a repetition counts nothing twice. */
export function delayedEmitStore(table: TableOptions, bodies: EventBodies): DelayedEmitStore {
  const { dynamo, tableName: TableName } = table;
  const stored = storedEventStore(table, bodies);
  const holdEvent = holdEvents(bodies);

  /** Each of these events has an item of its own. */
  async function find(emitterId: EmitterId, id: EventId): Promise<StoredEvent | undefined> {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName, Key: eventKey(emitterId, DELAYED_STREAM, id), ConsistentRead: true }),
    );
    return Item && fromEventItem(DELAYED_STREAM, Item)[0];
  }

  const countOf = (emitterId: EmitterId, change: number): Writes[number] => ({
    Update: {
      TableName,
      Key: delayedCountKey(emitterId),
      UpdateExpression: 'ADD n :change',
      ...(change > 0
        ? {
            ConditionExpression: 'attribute_not_exists(n) OR n < :limit',
            ExpressionAttributeValues: { ':change': change, ':limit': MAX_DELAYED_EMITS.source },
          }
        : { ExpressionAttributeValues: { ':change': change } }),
    },
  });

  const remove = async (
    { emitterId, ownerId }: Owned,
    { id, body, bytes }: Pick<EventRef, 'id' | 'body' | 'bytes'>,
  ): Promise<void> => {
    if (body === 'object') await bodies.delete({ emitterId, stream: DELAYED_STREAM, id });
    await transact(table, [
      {
        Delete: {
          TableName,
          Key: eventKey(emitterId, DELAYED_STREAM, id),
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
      countOf(emitterId, -1),
      countDown(TableName, ownerId, 'delayedEmits', bytes),
      ...(body === 'item' ? [{ Delete: { TableName, Key: bodyKey(emitterId, DELAYED_STREAM, id) } }] : []),
    ]);
  };

  return {
    async add({ emitterId, ownerId }, event) {
      const held = await holdEvent(emitterId, event);
      const result = await transact(table, [
        {
          Put: {
            TableName,
            Item: toEventItem(emitterId, [held.event]),
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        countOf(emitterId, 1),
        countUp(TableName, ownerId, {
          counted: 'delayedEmits',
          limit: MAX_DELAYED_EMITS.user,
          bytes: storedSize(event),
        }),
        ...held.body.map((Item) => ({ Put: { TableName, Item } })),
      ]);
      if (result.ok || result.failed === 0) return undefined;
      await bodies.delete({ emitterId, stream: event.stream, id: event.id });
      return result.failed === 1 ? 'source' : 'user';
    },

    async find(emitterId, id) {
      const event = await find(emitterId, id);
      return event && { ...event, json: await stored.whole(emitterId, event) };
    },

    isWaiting: async (emitterId, id) => (await find(emitterId, id)) !== undefined,

    async *pages(emitterId) {
      const query = {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': streamPartition(emitterId, DELAYED_STREAM) },
      };
      for await (const page of queryPages(table, query))
        yield readItems(table, page, (item) => fromEventItem(DELAYED_STREAM, item)).flat();
    },

    remove,

    async forget(emitterId) {
      await dynamo.send(new DeleteCommand({ TableName, Key: delayedCountKey(emitterId) }));
    },

    async complete(owned, id) {
      const event = await find(owned.emitterId, id);
      if (event) await remove(owned, event);
    },
  };
}
