import { newestFirst } from '../../api/event-position.ts';
import { matchesText } from '../../choosing/matches-text.ts';
import { lineOfEvent } from '../../events/line-of-event.ts';
import type { SourceEvent } from './use-event-search.ts';

/** The events with the words of a search in their line, data, ids or the name of their source, newest first. */
export const foundEvents = (
  events: readonly SourceEvent[],
  { search, stream }: { search: string; stream: string },
): readonly SourceEvent[] =>
  events
    .filter(({ event, source }) =>
      matchesText([lineOfEvent(event, stream), event.id, event.metadata.emit_id, event.json, source.name], search),
    )
    .toSorted((a, b) => newestFirst(a.event, b.event));
