import { eventMs } from '../api/event-position.ts';
import type { ShownEvent } from '../api/wire.ts';
import { isInRange, type TimeRange } from '../components/times/time-range.ts';
import { matchesText } from '../choosing/matches-text.ts';
import { lineOfEvent } from './line-of-event.ts';

/** An event of a list, with the one before it in its stream. */
export interface ListedEvent {
  event: ShownEvent;
  previous: ShownEvent | undefined;
}

/**
 * The events with the words of a search in their line, data or ids, within times. The list begins with the newest one.
 */
export const searchedEvents = (
  events: readonly ShownEvent[],
  { search, range, stream }: { search: string; range: TimeRange; stream: string | undefined },
): readonly ListedEvent[] =>
  events
    .map((event, n) => ({ event, previous: events[n + 1] }))
    .filter(
      ({ event }) =>
        isInRange(eventMs(event.id), range) &&
        (search.trim() === '' ||
          matchesText([lineOfEvent(event, stream), event.id, event.metadata.emit_id, event.json], search)),
    );
