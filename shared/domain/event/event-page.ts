import { type EventId, sortableEventId } from './event-id.ts';

export interface EventWindow {
  limit: number;
  after?: EventId | undefined;
  before?: EventId | undefined;
}

/** A page of a stream, newest first: `after` a cursor are older events, `before` it the nearest newer ones. */
export function eventPage<T extends { id: EventId }>(
  newestFirst: readonly T[],
  { limit, after, before }: EventWindow,
): T[] {
  if (after !== undefined) {
    const below = sortableEventId(after);
    return newestFirst.filter(({ id }) => sortableEventId(id) < below).slice(0, limit);
  }
  if (before !== undefined) {
    const above = sortableEventId(before);
    return newestFirst.filter(({ id }) => sortableEventId(id) > above).slice(-limit);
  }
  return newestFirst.slice(0, limit);
}
