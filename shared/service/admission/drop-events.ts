import type { SourceId } from '../../domain/id.ts';
import { dropNotice } from '../../domain/run/drop-notice.ts';
import type { EmitTrigger } from '../../domain/run/message.ts';
import type { Source } from '../../domain/source/source.ts';
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { DroppedEvents, DroppedEventStore } from '../../store/events/dropped-events.ts';

type Listener = Pick<Source, 'id' | 'ownerId'>;

/** Counts the events that sources do not get because the storage of their owner is full. */
export type DropEvents = ReturnType<typeof createDropEvents>;

export interface DropEventsOptions {
  dropped: DroppedEventStore;
  sendTriggers(triggers: readonly EmitTrigger[]): Promise<void>;
  now(): number;
}

const MAX_SOURCES = 10_000;

/**
 * Each source has at most one report an hour, which names all events since the last one. The report is sent before it
 * is recorded: a crash in between repeats it. Events after the last report are reported with the next dropped one, or
 * by the process that dropped them.
 */
export function createDropEvents({ dropped, sendTriggers, now }: DropEventsOptions) {
  const unreported = new TtlCache<SourceId, true>({ ttlMs: DAY_MS, maxEntries: MAX_SOURCES, now });

  async function report({ id: sourceId, ownerId }: Listener, events: DroppedEvents): Promise<void> {
    const { count, first, last } = events;
    await sendTriggers([dropNotice({ sourceId, ownerId, count, first, last, now: now() })]);
    await dropped.reported(sourceId, events, now());
    unreported.delete(sourceId);
  }

  return {
    /** `events`: the ids of dropped events, oldest first. */
    async drop(listener: Listener, events: readonly string[]): Promise<void> {
      const [first] = events;
      const last = events.at(-1);
      if (first === undefined || last === undefined) return;
      const all = await dropped.add(listener.id, { count: events.length, first, last }, now());
      if (all.reportedHour === Math.floor(now() / HOUR_MS)) unreported.set(listener.id, true);
      else await report(listener, all);
    },

    /** Called when a source gets events again: reports those that were dropped since the last report. */
    async settle(listener: Listener): Promise<void> {
      if (!unreported.get(listener.id)) return;
      unreported.delete(listener.id);
      const all = await dropped.find(listener.id);
      if (all.count > 0) await report(listener, all);
    },
  };
}
