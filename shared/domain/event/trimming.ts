import { type EventId, sortableEventId } from './event-id.ts';

/** Number of events that a stream shows. */
export const KEPT_EVENTS = 100;
/** Events stored beyond that before a trim, so that one query is enough for this many events. */
export const SLACK = 50;
/** Number of streams with a counter per emitter; other streams are queried at every write. */
export const COUNTED_STREAMS = 12;

/** Approximate number of stored events per stream, as a hint when to trim: a repeated run counts twice. */
export type StreamCounts = Readonly<Record<string, number>>;

/** Undefined for a stream without a counter, 0 for one that went. */
export const counterOf = (counts: StreamCounts, stream: string): number | undefined =>
  Object.hasOwn(counts, stream) ? counts[stream] : undefined;

/** Whether to trim the stream when this many events are added. */
export function isTrimDue(counts: StreamCounts, stream: string, adding: number): boolean {
  const count = counterOf(counts, stream);
  if (count === undefined) return adding > SLACK || Object.keys(counts).length >= COUNTED_STREAMS;
  return count + adding > KEPT_EVENTS + SLACK;
}

/** Stored events of one item of the table, which is removed as a whole. */
interface Item {
  readonly events: readonly { readonly id: EventId }[];
}

export interface Leaving<Stored extends Item> {
  /** The items that have none of the last 100 events. */
  gone: Stored[];
  /** Number of events that stay stored, with the added ones. */
  kept: number;
}

/** The items to remove. `adding` are the newer events to be added. */
export function leaving<Stored extends Item>(stored: readonly Stored[], adding: ReadonlySet<EventId>): Leaving<Stored> {
  const ids = new Set(stored.flatMap(({ events }) => events.map(({ id }) => id)));
  const older = [...ids]
    .filter((id) => !adding.has(id))
    .sort((a, b) => (sortableEventId(a) < sortableEventId(b) ? 1 : -1));
  const staying = new Set([...adding, ...older.slice(0, Math.max(KEPT_EVENTS - adding.size, 0))]);
  const kept = new Set<EventId>(adding);
  const gone: Stored[] = [];
  for (const item of stored) {
    if (!item.events.some(({ id }) => staying.has(id))) gone.push(item);
    else for (const { id } of item.events) kept.add(id);
  }
  return { gone, kept: kept.size };
}

/** Whether an event has left the last 100 of its stream: it is no longer readable, also while it is still stored. */
export function isTrimmed({ id }: { id: EventId }, latest: readonly { id: EventId }[]): boolean {
  const oldest = latest.at(-1);
  return oldest !== undefined && latest.length >= KEPT_EVENTS && sortableEventId(id) < sortableEventId(oldest.id);
}

interface CountChanges {
  /** Number of the events that each stream got. */
  added: ReadonlyMap<string, number>;
  /** Exact numbers of trimmed streams, with the added events. */
  trimmed: ReadonlyMap<string, number>;
  /** Numbers of streams that have no counter, before the added events. */
  uncounted: ReadonlyMap<string, number>;
}

/**
 * The counters after events were added. A new counter takes the place of one that is 0, if there are as many as an
 * emitter has.
 */
export function countAdded(counts: StreamCounts, { added, trimmed, uncounted }: CountChanges): StreamCounts {
  const next = new Map(Object.entries(counts));
  for (const [stream, adding] of added) {
    const known = next.get(stream);
    const number = trimmed.get(stream) ?? (known ?? uncounted.get(stream) ?? 0) + adding;
    if (known === undefined && next.size >= COUNTED_STREAMS) {
      const unused = [...next].find(([name, count]) => count === 0 && !added.has(name));
      if (unused === undefined) continue;
      next.delete(unused[0]);
    }
    next.set(stream, number);
  }
  return Object.fromEntries(next);
}

/**
 * The counters after streams lost events, by the number of those that are left. A stream that went keeps a counter of
 * 0, so that an emitter with fewer counters than {@link COUNTED_STREAMS} still has one for each of its streams.
 */
export const countLeft = (counts: StreamCounts, left: ReadonlyMap<string, number>): StreamCounts =>
  Object.fromEntries(Object.entries(counts).map(([stream, count]) => [stream, left.get(stream) ?? count]));
