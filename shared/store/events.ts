import { type EventId, sortableEventId } from '../domain/event/event-id.ts';
import type { EmitterId } from '../domain/id.ts';
import { OWN_STREAMS, type StreamName } from '../domain/event/stream.ts';
import { SUMMARY_BYTES, summarise } from '../domain/event/truncation.ts';
import { batchWrite, type PutItem, type WriteRequest } from './batch-write.ts';
import { type EventRef, type NewEvent, refOfItem, toEventItem } from './event-item.ts';
import { bodyKey, eventKey, streamNameKey, streamPartition } from './keys.ts';
import { type EventIdentity, type StoredEventStore, storedEventStore } from './stored-events.ts';
import { queryAll, type TableOptions } from './table-client.ts';

/** Stores event data that is too large for an item. */
export interface EventBodies {
  put(event: EventIdentity, json: string | Buffer): Promise<void>;
  get(event: EventIdentity): Promise<string | undefined>;
  delete(event: EventIdentity): Promise<void>;
}

/** Larger bodies are stored as objects. DynamoDB limits an item to 400 KB; smaller items keep batch writes fast. */
const LARGEST_BODY_ITEM = 200_000;

export interface EventStore extends StoredEventStore {
  /** Writes events and other items, and removes events, in the same requests. A repeated write overwrites the event. */
  store(
    emitterId: EmitterId,
    events: readonly NewEvent[],
    leaving: readonly EventRef[],
    others?: readonly PutItem[],
  ): Promise<void>;
  /** All stored events of a stream, newest first. Eventually consistent by default. */
  refs(emitterId: EmitterId, stream: StreamName, options?: { consistent?: boolean }): Promise<EventRef[]>;
  /** Records the names of custom streams. */
  addStreams(emitterId: EmitterId, streams: readonly StreamName[]): Promise<void>;
  forgetStreams(emitterId: EmitterId, streams: readonly StreamName[]): Promise<void>;
}

/** Makes the writes of an event. The body of a large one is written as an object first. */
export const eventWrites =
  (bodies: EventBodies) =>
  async (emitterId: EmitterId, event: NewEvent): Promise<WriteRequest[]> => {
    const bytes = event.json.length * 3 <= SUMMARY_BYTES ? 0 : Buffer.byteLength(event.utf8 ?? event.json);
    if (bytes <= SUMMARY_BYTES)
      return [{ PutRequest: { Item: toEventItem(emitterId, event, event.json, undefined) } }];
    const json = summarise(event.json, event.stream);
    if (bytes > LARGEST_BODY_ITEM) {
      await bodies.put({ emitterId, stream: event.stream, id: event.id }, event.utf8 ?? event.json);
      return [{ PutRequest: { Item: toEventItem(emitterId, event, json, 'object') } }];
    }
    return [
      { PutRequest: { Item: { ...bodyKey(emitterId, event.stream, event.id), j: event.json } } },
      { PutRequest: { Item: toEventItem(emitterId, event, json, 'item') } },
    ];
  };

export function eventStore(table: TableOptions, bodies: EventBodies): EventStore {
  const writesOf = eventWrites(bodies);

  async function removalsOf(emitterId: EmitterId, { stream, id, body }: EventRef): Promise<WriteRequest[]> {
    if (body === 'object') await bodies.delete({ emitterId, stream, id });
    return [
      { DeleteRequest: { Key: eventKey(emitterId, stream, id) } },
      ...(body === 'item' ? [{ DeleteRequest: { Key: bodyKey(emitterId, stream, id) } }] : []),
    ];
  }

  return {
    ...storedEventStore(table, bodies),

    async store(emitterId, events, leaving, others = []) {
      const puts = await Promise.all(events.map((event) => writesOf(emitterId, event)));
      const removals = await Promise.all(leaving.map((ref) => removalsOf(emitterId, ref)));
      const items = others.map((Item) => ({ PutRequest: { Item } }));
      await batchWrite(table, [...puts.flat(), ...removals.flat(), ...items]);
    },

    async refs(emitterId, stream, { consistent = false } = {}) {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': streamPartition(emitterId, stream) },
        ProjectionExpression: 'sk, b, n',
        ScanIndexForward: false,
        ConsistentRead: consistent,
      });
      return items.map((item) => refOfItem(stream, item));
    },

    async addStreams(emitterId, streams) {
      await batchWrite(
        table,
        streams.map((stream) => ({
          PutRequest: { Item: { ...streamNameKey(emitterId, stream), name: stream } },
        })),
      );
    },

    async forgetStreams(emitterId, streams) {
      const custom = streams.filter((stream) => !OWN_STREAMS.includes(stream));
      await batchWrite(
        table,
        custom.map((stream) => ({ DeleteRequest: { Key: streamNameKey(emitterId, stream) } })),
      );
    },
  };
}

/** Whether an event id is in the range, both ends included. */
export const isWithin = (id: EventId, from: EventId | undefined, to: EventId): boolean => {
  const at = sortableEventId(id);
  return at <= sortableEventId(to) && (from === undefined || at >= sortableEventId(from));
};
