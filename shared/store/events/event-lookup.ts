import * as z from 'zod';
import type { EventId } from '../../domain/event/event-id.ts';
import { DEFAULT_STREAM, isPublic, type StreamName } from '../../domain/event/stream.ts';
import { COUNTED_STREAMS } from '../../domain/event/trimming.ts';
import { type EmitterId, SourceId, type UserId, WorkflowId } from '../../domain/id.ts';
import { noticesIdOf } from '../../domain/notice/notices-emitter.ts';
import { createLimiter } from '../../lib/limiter.ts';
import { eventAt, type StoredEventStore } from './stored-events.ts';
import type { StoredEvent } from './event-item.ts';
import { stateKey, streamPartition } from '../table/keys.ts';
import { pointedIds } from '../table/page.ts';
import { batchGet, type Key, type TableOptions } from '../table/table-client.ts';

export interface EmittedEvent {
  emitterId: EmitterId;
  event: StoredEvent;
}

/** Finds an event by its id alone, in two steps: the first is cheap, and tells how much the second reads. */
export type EventLookup = ReturnType<typeof eventLookup>;

interface EmitterStream {
  emitterId: EmitterId;
  stream: StreamName;
}

interface EventLookupOptions {
  events: Pick<StoredEventStore, 'streams'>;
  /** Streams that are searched at most. */
  maxStreams?: number;
}

/**
 * 5,000 read units. Only a user with hundreds of emitters and more than a dozen streams on each of them has more
 * streams.
 */
const MAX_STREAMS = 10_000;
/** Keys of one request to the table. */
const BATCH = 100;
const CONCURRENT_READS = 32;

const StateItem = z.object({ pk: z.string(), st: z.record(z.string(), z.number()) });

/**
 * An event's id names neither its emitter nor the item that it shares, so each stream with events is asked. The default
 * streams come first: their first events are found before the state of the emitter names them.
 */
export function eventLookup(table: TableOptions, { events, maxStreams = MAX_STREAMS }: EventLookupOptions) {
  const limited = createLimiter(CONCURRENT_READS);
  const readEvent = eventAt(table, { consistent: false });
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

  /**
   * The streams with events, from the states of their emitters; the names of an emitter with more than a state counts
   * have items of their own.
   */
  async function* countedStreams(emitterIds: readonly EmitterId[]): AsyncGenerator<EmitterStream> {
    const states = (await read(emitterIds.map(stateKey))).map((item) => StateItem.parse(item));
    const counted = new Map(states.map(({ pk, st }) => [pk, Object.keys(st)]));
    const full: EmitterId[] = [];
    for (const emitterId of emitterIds) {
      const names = counted.get(stateKey(emitterId).pk) ?? [];
      if (names.length >= COUNTED_STREAMS) full.push(emitterId);
      else for (const stream of names) yield { emitterId, stream };
    }
    for (const emitterId of full) for (const stream of await events.streams(emitterId)) yield { emitterId, stream };
  }

  return {
    /** The public streams with events of all emitters of a user. */
    async streams(ownerId: UserId): Promise<EmitterStream[]> {
      const emitterIds = await emittersOf(ownerId);
      const streams = new Map<string, EmitterStream>();
      const add = (one: EmitterStream): void => {
        if (isPublic(one.stream) && streams.size < maxStreams)
          streams.set(streamPartition(one.emitterId, one.stream), one);
      };
      for (const emitterId of emitterIds) add({ emitterId, stream: DEFAULT_STREAM });
      for await (const stream of countedStreams(emitterIds)) {
        if (streams.size >= maxStreams) break;
        add(stream);
      }
      return [...streams.values()];
    },

    /** The stored events with this id, with one query for each stream. */
    async find(streams: readonly EmitterStream[], id: EventId): Promise<EmittedEvent[]> {
      const found = await Promise.all(
        streams.map(async ({ emitterId, stream }) => {
          const event = await limited(() => readEvent(emitterId, stream, id));
          return event ? [{ emitterId, event }] : [];
        }),
      );
      return found.flat();
    },
  };
}
