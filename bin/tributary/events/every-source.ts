import type { Api } from '../session/api.ts';
import { Source } from '../session/response-schemas.ts';
import type { NamedSummary } from '../output/event-lines.ts';
import {
  BEGINNING,
  compareIds,
  type EventMatch,
  type EventReader,
  eventsAfter,
  lastEvents,
  READABLE,
} from './event-reader.ts';
import { unlessMissing } from '../failures.ts';
import { inBatches } from './in-batches.ts';

/** Reads a stream of every source. A source whose last event is known from the list is read only when that changed. */
export function allSourcesReader(
  api: Api,
  { whole, ...ref }: { stream?: string | undefined; filter?: string | undefined; whole: boolean },
): EventReader {
  const positions = new Map<string, string>();
  const lastSeen = new Map<string, number>();
  const list = () => api.list('/users/me/sources', Source);

  /** Sources with events that were not read; other streams have no time in the list. */
  function changed(sources: readonly Source[]): Source[] {
    return sources.filter(
      ({ id, last_event_ms: ms }) =>
        ref.stream !== undefined || ms === undefined || (ms !== null && lastSeen.get(id) !== ms),
    );
  }

  async function read(
    sources: readonly Source[],
    one: (source: Source) => Promise<{ events: NamedSummary[]; missed: number }>,
    matches: EventMatch = () => true,
  ) {
    const all = await inBatches(sources, async (source) => {
      const { events, missed } = (await unlessMissing(one(source))) ?? { events: [], missed: 0 };
      const newest = events.at(-1);
      if (newest) positions.set(source.id, newest.id);
      if (source.last_event_ms != null) lastSeen.set(source.id, source.last_event_ms);
      return { events: events.filter(matches).map((event) => ({ ...event, source: source.name_slug })), missed };
    });
    return {
      events: all.flatMap(({ events }) => events).sort((a, b) => compareIds(a.id, b.id)),
      missed: all.reduce((sum, { missed }) => sum + missed, 0),
    };
  }

  return {
    waits: false,
    async last(limit, matches) {
      const { events } = await read(
        changed(await list()),
        async ({ id: emitterId }) => ({
          events: await lastEvents(api, { ...ref, emitterId }, { limit: matches ? READABLE : limit, whole }),
          missed: 0,
        }),
        matches,
      );
      return events.slice(-limit);
    },
    async next(signal) {
      return read(changed(await list()), ({ id: emitterId }) => {
        const position = positions.get(emitterId) ?? BEGINNING;
        return eventsAfter(api, { ...ref, emitterId }, { position, whole, signal });
      });
    },
  };
}
