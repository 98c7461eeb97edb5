import * as z from 'zod';
import type { EventId } from '../domain/event/event-id.ts';
import {
  DEFAULT_STREAM,
  ERRORS_STREAM,
  isPublic,
  LOGS_STREAM,
  type StreamName,
} from '../domain/event/stream.ts';
import { COUNTED_STREAMS } from '../domain/event/trimming.ts';
import { type EmitterId, SourceId, type UserId, WorkflowId } from '../domain/id.ts';
import { noticesIdOf } from '../domain/notice/notices-emitter.ts';
import { createLimiter } from '../lib/limiter.ts';
import { fromEventItem, type StoredEvent } from './event-item.ts';
import { eventKey, stateKey } from './keys.ts';
import { pointedIds } from './page.ts';
import type { StoredEventStore } from './stored-events.ts';
import { batchGet, type Key, type TableOptions } from './table-client.ts';

export interface EmittedEvent {
  emitterId: EmitterId;
  event: StoredEvent;
}

/** The stored events with this id, of all emitters of a user. */
export type LookUpEvents = (ownerId: UserId, id: EventId) => Promise<EmittedEvent[]>;

interface EventLookupOptions {
  events: Pick<StoredEventStore, 'streams'>;
  /** Streams that are searched at most. */
  maxStreams?: number;
}

/** 5,000 read units. Only a user with hundreds of emitters and more than a dozen streams on each of them has more streams. */
const MAX_STREAMS = 10_000;
/** Keys of one request to the table. */
const BATCH = 100;
const CONCURRENT_READS = 10;

const StateItem = z.object({ pk: z.string(), st: z.record(z.string(), z.number()) });

interface Stream {
  emitterId: EmitterId;
  stream: StreamName;
}

/**
 * An event's id does not name its emitter, but the key of an event follows from emitter, stream and id: one batched read asks 100 streams
 * for it. The streams that every emitter has come first.
 */
export function eventLookup(
  table: TableOptions,
  { events, maxStreams = MAX_STREAMS }: EventLookupOptions,
): LookUpEvents {
  const limited = createLimiter(CONCURRENT_READS);
  const read = async (keys: readonly Key[]): Promise<Record<string, unknown>[]> => {
    const batches = Array.from({ length: Math.ceil(keys.length / BATCH) }, (_, n) =>
      keys.slice(n * BATCH, (n + 1) * BATCH),
    );
    const found = await Promise.all(
      batches.map((batch) => limited(() => batchGet(table, batch, { consistent: false }))),
    );
    return found.flat();
  };

  async function emittersOf(ownerId: UserId): Promise<EmitterId[]> {
    const [sources, workflows] = await Promise.all([
      pointedIds(table, { list: 'sources', ownerId }),
      pointedIds(table, { list: 'workflows', ownerId }),
    ]);
    return [
      ...sources.map((id) => SourceId.parse(id)),
      ...workflows.map((id) => WorkflowId.parse(id)),
      noticesIdOf(ownerId),
    ];
  }

  /** The custom streams of emitters, from their states; the names of an emitter with more than a state counts have items of their own. */
  async function* customStreams(emitterIds: readonly EmitterId[]): AsyncGenerator<Stream> {
    const states = (await read(emitterIds.map(stateKey))).map((item) => StateItem.parse(item));
    const counted = new Map(states.map(({ pk, st }) => [pk, Object.keys(st)]));
    const full: EmitterId[] = [];
    for (const emitterId of emitterIds) {
      const names = counted.get(stateKey(emitterId).pk) ?? [];
      if (names.length >= COUNTED_STREAMS) full.push(emitterId);
      else for (const stream of names) yield { emitterId, stream };
    }
    for (const emitterId of full)
      for (const stream of await events.streams(emitterId)) yield { emitterId, stream };
  }

  return async (ownerId, id) => {
    const emitterIds = await emittersOf(ownerId);
    const streams = new Map<string, Stream>();
    const add = (one: Stream): void => {
      const { pk } = eventKey(one.emitterId, one.stream, id);
      if (isPublic(one.stream) && streams.size < maxStreams) streams.set(pk, one);
    };
    for (const stream of [DEFAULT_STREAM, ERRORS_STREAM, LOGS_STREAM])
      for (const emitterId of emitterIds) add({ emitterId, stream });
    for await (const stream of customStreams(emitterIds)) {
      if (streams.size >= maxStreams) break;
      add(stream);
    }
    const items = await read([...streams.values()].map((one) => eventKey(one.emitterId, one.stream, id)));
    const found = new Map(items.map((item) => [String(item['pk']), item]));
    return [...streams].flatMap(([pk, { emitterId, stream }]) => {
      const item = found.get(pk);
      return item ? [{ emitterId, event: fromEventItem(stream, item) }] : [];
    });
  };
}
