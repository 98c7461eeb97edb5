import type { EventId } from '../../domain/event/event-id.ts';
import { distinctEvents } from './event-batch.ts';
import type { StoredEvent } from './event-item.ts';

interface Removal {
  leaving: StoredEvent[];
  changed: StoredEvent[][];
  /** The keys of the items to delete, afterwards. */
  emptied: EventId[];
  left: number;
}

/**
 * The changes that remove events from these items of a stream. The key of an item is that of its newest event, so an
 * item that loses it gets another key. If an item has that key already, both become one.
 */
export function withoutEvents(
  items: readonly (readonly StoredEvent[])[],
  isLeaving: (event: StoredEvent, rank: number) => boolean,
): Removal {
  const stored = new Map<EventId, StoredEvent[]>();
  for (const item of items) {
    const events = distinctEvents(item);
    const [newest] = events;
    if (newest) stored.set(newest.id, events);
  }
  const all = distinctEvents([...stored.values()].flat());
  const leaving = all.filter(isLeaving);
  const gone = new Set(leaving.map(({ id }) => id));
  const staying = new Map<EventId, StoredEvent[]>();
  for (const events of stored.values()) {
    const rest = events.filter(({ id }) => !gone.has(id));
    const [newest] = rest;
    if (newest) staying.set(newest.id, distinctEvents([...(staying.get(newest.id) ?? []), ...rest]));
  }
  return {
    leaving,
    changed: [...staying].flatMap(([id, events]) => (hasSameEvents(events, stored.get(id)) ? [] : [events])),
    emptied: [...stored.keys()].filter((id) => !staying.has(id)),
    left: all.length - leaving.length,
  };
}

/** Both are newest first. */
const hasSameEvents = (events: readonly StoredEvent[], others: readonly StoredEvent[] = []): boolean =>
  events.length === others.length && events.every(({ id }, index) => id === others[index]?.id);
