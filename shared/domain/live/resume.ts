import { type EventId, eventId, sortableEventId } from '../event/event-id.ts';
import { KEPT_EVENTS } from '../event/trimming.ts';

/** Before every event. */
export const BEGINNING = eventId({ ms: 0, sequence: 0 });

export const isAfter = (id: EventId, position: EventId): boolean => sortableEventId(id) > sortableEventId(position);

interface Identified {
  readonly id: EventId;
}

/**
 * Whether events after a position may be gone. `stored` are the stored events from the position on, newest first: a
 * stream that still has the position, or fewer events than it keeps, has lost none of them.
 */
export function mayHaveLost(stored: readonly Identified[], position: EventId): boolean {
  const oldest = stored.at(-1);
  return stored.length >= KEPT_EVENTS && oldest !== undefined && isAfter(oldest.id, position);
}

export interface Resumption<Event> {
  readonly newest: EventId;
  /** The events that the client lacks, oldest first. */
  readonly replay: readonly Event[];
  readonly hasGap: boolean;
}

/**
 * Decides what a client gets first. `stored` are all stored events, newest first: more than are readable, which tells
 * whether a client has missed some.
 */
export function resume<Event extends Identified>(
  stored: readonly Event[],
  position: EventId | undefined,
): Resumption<Event> {
  const newest = stored[0]?.id ?? BEGINNING;
  if (position === undefined) return { newest, replay: [], hasGap: false };
  const readable = stored.slice(0, KEPT_EVENTS);
  const next = stored[KEPT_EVENTS];
  const missed = readable.filter(({ id }) => isAfter(id, position));
  return {
    newest,
    replay: missed.toReversed(),
    hasGap: next ? isAfter(next.id, position) : mayHaveLost(readable, position),
  };
}

/** A synchronous run may store an event below one that is already readable. It answers within 25 s of its request. */
const OVERLAP_MS = 30_000;

/** Events below this position are not stored any more. */
export function overlapOf(newest: EventId, now: number): EventId {
  const recent = eventId({ ms: Math.max(0, now - OVERLAP_MS), sequence: 0 });
  return isAfter(newest, recent) ? recent : newest;
}
