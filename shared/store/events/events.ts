import { type EventId, sortableEventId } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import { SUMMARY_BYTES, summarise } from '../../domain/event/truncation.ts';
import { batchWrite, type PutItem, puts, type WriteRequest } from '../table/batch-write.ts';
import {
  fromEventItem,
  fromRefItem,
  itemsOf,
  distinctEvents,
  REF_ATTRIBUTES,
  type StoredItem,
  toEventItem,
} from './event-batch.ts';
import { type EventRef, type NewEvent, type StoredEvent, storedSize } from './event-item.ts';
import { withoutEvents } from './event-removal.ts';
import { bodyKey, eventKey, streamPartition } from '../table/keys.ts';
import { type EventIdentity, type StoredEventStore, storedEventStore } from './stored-events.ts';
import { readItems } from '../table/read-items.ts';
import { type StreamNameStore, streamNameStore } from './stream-names.ts';
import { queryAll, type TableOptions, wholePartition } from '../table/table-client.ts';

/** Stores event data that is too large for an item. */
export interface EventBodies {
  put(event: EventIdentity, json: string | Buffer): Promise<void>;
  get(event: EventIdentity): Promise<string | undefined>;
  delete(event: EventIdentity): Promise<void>;
}

/** Larger bodies are stored as objects. DynamoDB limits an item to 400 KB; smaller items keep batch writes fast. */
const LARGEST_BODY_ITEM = 200_000;

/** An event as its item holds it, and the item of its body. */
interface Held {
  event: Omit<StoredEvent, 'truncated'>;
  body: PutItem[];
}

/** The body of a large event is written as an object first. */
export const holdEvents =
  (bodies: EventBodies) =>
  async (emitterId: EmitterId, { utf8, shortened, ...event }: NewEvent): Promise<Held> => {
    const held = { ...event, bytes: storedSize({ ...event, utf8 }), body: undefined };
    const bytes = event.json.length * 3 <= SUMMARY_BYTES ? 0 : Buffer.byteLength(utf8 ?? event.json);
    if (bytes <= SUMMARY_BYTES) return { event: held, body: [] };
    const json = shortened ?? summarise(event.json, event.stream);
    if (bytes > LARGEST_BODY_ITEM) {
      await bodies.put({ emitterId, stream: event.stream, id: event.id }, utf8 ?? event.json);
      return { event: { ...held, json, body: 'object' }, body: [] };
    }
    const item = { ...bodyKey(emitterId, event.stream, event.id), j: event.json };
    return { event: { ...held, json, body: 'item' }, body: [item] };
  };

export interface EventStore extends StoredEventStore, StreamNameStore {
  /** Writes events and other items, and removes items, in the same requests. A repeated write overwrites the event. */
  store(
    emitterId: EmitterId,
    events: readonly NewEvent[],
    leaving: readonly StoredItem[],
    others?: readonly PutItem[],
  ): Promise<void>;
  /** The items of a stream, newest first. Eventually consistent. */
  items(emitterId: EmitterId, stream: StreamName): Promise<StoredItem[]>;
  /** All stored events of a stream, newest first. */
  refs(emitterId: EmitterId, stream: StreamName): Promise<EventRef[]>;
  /** Removes events of a stream; `rank` is 0 for its newest one. */
  remove(
    emitterId: EmitterId,
    stream: StreamName,
    isLeaving: (event: EventRef, rank: number) => boolean,
  ): Promise<RemovedEvents>;
}

interface RemovedEvents {
  bytes: number;
  left: number;
}

interface EventStoreOptions {
  /** Maximum of events that share an item. */
  eventsPerItem: number;
}

export function eventStore(table: TableOptions, bodies: EventBodies, { eventsPerItem }: EventStoreOptions): EventStore {
  const holdEvent = holdEvents(bodies);

  const itemQuery = (emitterId: EmitterId, stream: StreamName) => ({
    ...wholePartition(streamPartition(emitterId, stream)),
    ScanIndexForward: false,
  });

  async function read(emitterId: EmitterId, stream: StreamName, { consistent }: { consistent: boolean }) {
    const found = await queryAll(table, {
      ...itemQuery(emitterId, stream),
      ProjectionExpression: REF_ATTRIBUTES,
      ConsistentRead: consistent,
    });
    return readItems(table, found, (item) => fromRefItem(stream, item), streamPartition(emitterId, stream));
  }

  /** Deletions of bodies, after those of objects. */
  async function bodyRemovals(emitterId: EmitterId, events: readonly EventRef[]): Promise<WriteRequest[]> {
    // Two items may have one event, and a request must not name a key twice.
    const distinct = new Map(events.map((event) => [`${event.id} ${event.stream}`, event]));
    const removals = await Promise.all(
      Array.from(distinct.values(), async ({ stream, id, body }): Promise<WriteRequest[]> => {
        if (body === 'object') await bodies.delete({ emitterId, stream, id });
        return body === 'item' ? [{ DeleteRequest: { Key: bodyKey(emitterId, stream, id) } }] : [];
      }),
    );
    return removals.flat();
  }

  const itemRemovals = (emitterId: EmitterId, stream: StreamName, ids: readonly EventId[]): WriteRequest[] =>
    ids.map((id) => ({ DeleteRequest: { Key: eventKey(emitterId, stream, id) } }));

  return {
    ...storedEventStore(table, bodies),
    ...streamNameStore(table),

    async store(emitterId, events, leaving, others = []) {
      const held = await Promise.all(events.map((event) => holdEvent(emitterId, event)));
      const items = itemsOf(
        held.map(({ event }) => event),
        eventsPerItem,
      );
      await batchWrite(table, [
        ...puts(held.flatMap(({ body }) => body)),
        ...puts(items.map((each) => toEventItem(emitterId, each))),
        ...leaving.flatMap(({ stream, id }) => itemRemovals(emitterId, stream, [id])),
        ...(await bodyRemovals(
          emitterId,
          leaving.flatMap((item) => item.events),
        )),
        ...puts(others),
      ]);
    },

    items: (emitterId, stream) => read(emitterId, stream, { consistent: false }),

    async refs(emitterId, stream) {
      const found = await read(emitterId, stream, { consistent: true });
      return distinctEvents(found.flatMap(({ events }) => events));
    },

    async remove(emitterId, stream, isLeaving) {
      const found = await queryAll(table, itemQuery(emitterId, stream));
      const items = readItems(table, found, (item) => fromEventItem(stream, item));
      const { changed, emptied, leaving, left } = withoutEvents(items, isLeaving);
      // An event that is left in an item with another key is stored twice for a moment, and readers show it once.
      await batchWrite(table, puts(changed.map((events) => toEventItem(emitterId, events))));
      await batchWrite(table, [
        ...itemRemovals(emitterId, stream, emptied),
        ...(await bodyRemovals(emitterId, leaving)),
      ]);
      return { bytes: leaving.reduce((sum, { bytes }) => sum + bytes, 0), left };
    },
  };
}

/** Whether an event id is in the range, both ends included. */
export const isWithin = (id: EventId, from: EventId | undefined, to: EventId): boolean => {
  const at = sortableEventId(id);
  return at <= sortableEventId(to) && (from === undefined || at >= sortableEventId(from));
};
