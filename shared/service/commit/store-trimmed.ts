import { isTrimDue, KEPT_EVENTS, leaving } from '../../domain/event/trimming.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { EmitterState } from '../../store/emitters.ts';
import type { StoredItem } from '../../store/event-batch.ts';
import { type NewEvent, storedSize } from '../../store/event-item.ts';
import type { EventStore } from '../../store/events.ts';
import { runChunk } from '../../store/run-records.ts';
import type { Numbered } from './number-events.ts';

/** Changes of the stored events. */
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
  /** Lines of the records of ended runs. */
  records: string;
}

/** Stores the events and removes trimmed ones in the same requests, with a full chunk of records. */
export async function storeTrimmed(
  events: Pick<EventStore, 'items' | 'store'>,
  { emitterId, state, removedBytes: alreadyRemoved = 0 }: TrimmedEmitter,
  { due, added, records }: Additions,
): Promise<StorageChange> {
  const trimmed = new Map<string, number>();
  const removed: StoredItem[] = [];
  const kept: NewEvent[] = [];
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
  }
  const chunk = records === '' ? undefined : runChunk(emitterId, state.runs);
  if (kept.length > 0 || removed.length > 0 || chunk)
    await events.store(emitterId, kept, removed, chunk ? [chunk] : []);
  return {
    trimmed,
    addedBytes: kept.reduce((sum, event) => sum + storedSize(event), 0),
    removedBytes: removed
      .flatMap((item) => item.events)
      .reduce((sum, { bytes }) => sum + bytes, alreadyRemoved),
  };
}
