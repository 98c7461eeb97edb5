import * as z from 'zod';
import { type EventId, sortableEventId } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { OWN_STREAMS, type StreamName } from '../../domain/event/stream.ts';
import { KEPT_EVENTS } from '../../domain/event/trimming.ts';
import { fromEventItem, distinctEvents, keysAround } from './event-batch.ts';
import type { StoredEvent } from './event-item.ts';
import { bodyKey, streamPartition } from '../table/keys.ts';
import { type Item, readInSteps, readOne } from '../table/read-items.ts';
import { streamNameStore } from './stream-names.ts';
import {
  getItem,
  queryPages,
  type TableOptions,
  wholePartition,
  keysBetween,
  queryAll,
} from '../table/table-client.ts';

const BodyItem = z.object({ j: z.string() });

export interface EventIdentity {
  emitterId: EmitterId;
  stream: StreamName;
  id: EventId;
}

export type StoredEventStore = ReturnType<typeof storedEventStore>;

export function storedEventStore(
  table: TableOptions,
  bodies: { get(event: EventIdentity): Promise<string | undefined> },
) {
  const names = streamNameStore(table);
  return {
    /** The newest events of a stream, at most 100, newest first. */
    async latest(emitterId: EmitterId, stream: StreamName): Promise<StoredEvent[]> {
      const pages = queryPages(table, {
        ...wholePartition(streamPartition(emitterId, stream)),
        ScanIndexForward: false,
        ConsistentRead: false,
        Limit: KEPT_EVENTS,
      });
      let events: StoredEvent[] = [];
      const read = (item: Item) => ({ sk: String(item['sk']), found: fromEventItem(stream, item) });
      for await (const page of pages) {
        for await (const { sk, found } of readInSteps(table, page, read)) {
          events.push(...found);
          if (events.length < KEPT_EVENTS) continue;
          events = distinctEvents(events);
          const oldest = events[KEPT_EVENTS - 1];
          // All events of the next items are older than the key of this one.
          if (oldest && sortableEventId(oldest.id) >= sk) return events.slice(0, KEPT_EVENTS);
        }
      }
      return distinctEvents(events).slice(0, KEPT_EVENTS);
    },

    find: eventAt(table, { consistent: true }),

    async whole(
      emitterId: EmitterId,
      { stream, id, json, body }: Pick<StoredEvent, 'stream' | 'id' | 'json' | 'body'>,
    ): Promise<string> {
      if (body === undefined) return json;
      if (body === 'object') return (await bodies.get({ emitterId, stream, id })) ?? json;
      const Item = await getItem(table, bodyKey(emitterId, stream, id));
      // The event was trimmed between the two reads: return the rendering.
      return Item ? BodyItem.parse(Item).j : json;
    },

    /** The built-in streams and the custom streams of the emitter. */
    async streams(emitterId: EmitterId): Promise<StreamName[]> {
      const custom = await names.customStreams(emitterId);
      return [...OWN_STREAMS, ...custom.map(({ name }) => name)];
    },
  };
}

/** The event with its complete JSON. */
export async function wholeStoredEvent(
  events: Pick<StoredEventStore, 'whole'>,
  emitterId: EmitterId,
  event: StoredEvent,
): Promise<StoredEvent> {
  if (!event.truncated) return event;
  const json = await events.whole(emitterId, event);
  // The body of an event that was trimmed meanwhile is missing: answer with its summary.
  return { ...event, json, truncated: json === event.json };
}

/** Reads one event, from the items of the second in which the key of its item can be. */
export const eventAt =
  (table: TableOptions, { consistent }: { consistent: boolean }) =>
  async (emitterId: EmitterId, stream: StreamName, id: EventId): Promise<StoredEvent | undefined> => {
    const { from, to } = keysAround(id);
    const items = await queryAll(table, {
      ...keysBetween(streamPartition(emitterId, stream), from, to),
      ConsistentRead: consistent,
    });
    const events = items
      .flatMap((item) => readOne(id, () => fromEventItem(stream, item)))
      .filter((event) => event.id === id);
    return distinctEvents(events)[0];
  };
