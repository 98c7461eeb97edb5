import type { StreamName } from '../../domain/event/stream.ts';
import type { CustomStream } from '../../domain/event/replaced-streams.ts';
import { isTrimDue, KEPT_EVENTS, leaving } from '../../domain/event/trimming.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { PutItem } from '../../store/table/batch-write.ts';
import type { StoredItem } from '../../store/events/event-batch.ts';
import { type NewEvent, storedSize } from '../../store/events/event-item.ts';
import type { EventStore } from '../../store/events/events.ts';
import { runChunk } from '../../store/emitters/run-records.ts';
import { streamNameItem } from '../../store/events/stream-names.ts';
import type { Numbered } from './number-events.ts';

export interface StorageChange {
  /** The new event count of each trimmed stream. */
  trimmed: ReadonlyMap<string, number>;
  addedBytes: number;
  removedBytes: number;
}

interface TrimmedEmitter {
  emitterId: EmitterId;
  /** The state as loaded or last saved. */
  state: Pick<EmitterState, 'counts' | 'runs'>;
  /** Bytes of stored events that were removed before. */
  removedBytes?: number;
}

interface Additions {
  due: readonly Numbered[];
  /** Number of the events of each stream. */
  added: ReadonlyMap<string, number>;
  /** Streams among them that have no counter in the state, as their items tell. */
  uncounted: ReadonlyMap<StreamName, CustomStream>;
  /** Lines of the records of ended runs. */
  records: string;
}

/** Stores the events and removes trimmed ones in the same requests, with a full chunk of records. */
export async function storeTrimmed(
  events: Pick<EventStore, 'items' | 'store'>,
  { emitterId, state, removedBytes: alreadyRemoved = 0 }: TrimmedEmitter,
  { due, added, uncounted, records }: Additions,
): Promise<StorageChange> {
  const trimmed = new Map<string, number>();
  const removed: StoredItem[] = [];
  const kept: NewEvent[] = [];
  const items: PutItem[] = [];
  for (const [stream, count] of added) {
    const own = due.filter(({ stored }) => stored.stream === stream).map(({ stored }) => stored);
    // A stream shows 100 events; older ones of this batch are delivered without being stored.
    const leftOut = Math.max(own.length - KEPT_EVENTS, 0);
    const [first, ...others] = own.slice(leftOut);
    if (first) kept.push(leftOut === 0 ? first : { ...first, leftOut }, ...others);
    if (!isTrimDue(state.counts, stream, count)) continue;
    const adding = new Set(own.map(({ id }) => id));
    const { gone, kept: exact } = leaving(await events.items(emitterId, stream), adding);
    removed.push(...gone);
    trimmed.set(stream, exact);
    const named = uncounted.get(stream);
    // A stream that has all events that a stream keeps costs no write here.
    if (named && named.events < Math.min(exact, KEPT_EVENTS))
      items.push(streamNameItem(emitterId, { ...named, events: exact }));
  }
  const chunk = records === '' ? undefined : runChunk(emitterId, state.runs);
  if (chunk) items.push(chunk);
  if (kept.length + removed.length + items.length > 0) await events.store(emitterId, kept, removed, items);
  return {
    trimmed,
    addedBytes: kept.reduce((sum, event) => sum + storedSize(event), 0),
    removedBytes: removed.flatMap((item) => item.events).reduce((sum, { bytes }) => sum + bytes, alreadyRemoved),
  };
}
