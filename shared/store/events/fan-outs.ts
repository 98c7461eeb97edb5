import * as z from 'zod';
import { type EventId, fromSortable } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import { HOUR_MS } from '../../lib/durations.ts';
import { batchWrite, puts, removals } from '../table/batch-write.ts';
import { fanOutKey, fanOutsPartition } from '../table/keys.ts';
import { queryPages, type TableOptions, wholePartition } from '../table/table-client.ts';

/**
 * A fan-out takes less time, however often it is repeated: its message is a dead letter then. Ordered webhooks go on
 * without it.
 */
export const LONGEST_FAN_OUT_MS = 2 * HOUR_MS;

const PAGE = 10;
const Marked = z.object({ sk: z.string(), expiresAt: z.number() });

export type FanOutStore = ReturnType<typeof fanOutStore>;

/**
 * Marks of events whose fan-out is not done. An event is marked before it is given to the queue, which is not in order,
 * and the mark goes when every delivery of the event is made or stored.
 */
export function fanOutStore(table: TableOptions, now: () => number) {
  return {
    async mark(emitterId: EmitterId, events: readonly EventId[]): Promise<void> {
      const expiresAt = Math.ceil((now() + LONGEST_FAN_OUT_MS) / 1_000);
      await batchWrite(table, puts(events.map((event) => ({ ...fanOutKey(emitterId, event), expiresAt }))));
    },

    async unmark(emitterId: EmitterId, events: readonly EventId[]): Promise<void> {
      await batchWrite(table, removals(events.map((event) => fanOutKey(emitterId, event))));
    },

    /** The oldest event of the emitter whose fan-out is not done. */
    async oldest(emitterId: EmitterId): Promise<EventId | undefined> {
      for await (const page of queryPages(table, { ...wholePartition(fanOutsPartition(emitterId)), Limit: PAGE })) {
        const marks = page.map((item) => Marked.parse(item));
        const oldest = marks.find(({ expiresAt }) => expiresAt * 1_000 > now());
        if (oldest) return fromSortable(oldest.sk);
      }
      return undefined;
    },
  };
}
