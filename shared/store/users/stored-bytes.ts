import { type EmitterId, isSourceId, SourceId, type UserId, WorkflowId } from '../../domain/id.ts';
import { dayOf } from '../../domain/user/user.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { backlogStore } from '../emitters/backlog.ts';
import { readByteCounts } from '../table/counts.ts';
import { deliveryBytesStore } from '../deliveries/delivery-bytes.ts';
import { storedOfState } from '../emitters/emitters.ts';
import { stateKey } from '../table/keys.ts';
import { pointedIds } from '../table/page.ts';
import { batchGet, type TableOptions } from '../table/table-client.ts';

export interface StoredBytes {
  total: number;
  /** The bytes that each emitter has caused. Components and delayed emits count for no emitter. */
  byEmitter: ReadonlyMap<EmitterId, number>;
  emitters: number;
}

/** Lists a user's payloads that wait in queues. */
export type ListPayloads = (ownerId: UserId) => Promise<{ emitterId: EmitterId | undefined; bytes: number }[]>;

/** Longer than the lifetime of a payload. */
const LARGE_DAYS = 31;

/**
 * Counts the bytes that are stored for a user: events by the states of the emitters, payloads of triggers and delivery
 * messages by their objects, those of deliveries by the hour of their storing, triggers in backlogs by the backlogs'
 * counters, delayed emits and components by the user's counters. It reads an item of each emitter, and lists objects
 * only of a user who had large payloads in the last month.
 */
export const storedBytes =
  (table: TableOptions, listPayloads: ListPayloads) =>
  async (ownerId: UserId, now: number): Promise<StoredBytes> => {
    const [sources, workflows, counts, deliveries] = await Promise.all([
      pointedIds(table, { list: 'sources', ownerId }),
      pointedIds(table, { list: 'workflows', ownerId }),
      readByteCounts(table, ownerId),
      deliveryBytesStore(table).byEmitter(ownerId, now),
    ]);
    const ids = [...sources.map((id) => SourceId.parse(id)), ...workflows.map((id) => WorkflowId.parse(id))];
    const [items, waiting] = await Promise.all([
      batchGet(table, ids.map(stateKey), { consistent: false }),
      backlogStore(table).waiting(ids.filter(isSourceId)),
    ]);
    const states = items.map(storedOfState);
    const since = dayOf(now - LARGE_DAYS * DAY_MS);
    const hasLarge = states.some(({ largeDay = '' }) => largeDay >= since);
    const payloads = hasLarge ? await listPayloads(ownerId) : [];

    const byEmitter = new Map<EmitterId, number>();
    let total = counts.componentBytes + counts.delayedBytes;
    const add = (emitterId: EmitterId | undefined, bytes: number): void => {
      total += bytes;
      if (emitterId !== undefined) byEmitter.set(emitterId, (byEmitter.get(emitterId) ?? 0) + bytes);
    };
    for (const { emitterId, bytes } of [...states, ...payloads]) add(emitterId, bytes);
    for (const [emitterId, bytes] of deliveries) add(emitterId, bytes);
    for (const [sourceId, { bytes }] of waiting) add(sourceId, bytes);
    return { total, byEmitter, emitters: ids.length };
  };
