import type { EventId } from '../../domain/event/event-id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { EmitterId } from '../../domain/id.ts';
import { fromEventItem, keysAround, distinctEvents } from './event-batch.ts';
import type { StoredEvent } from './event-item.ts';
import { streamPartition } from '../table/keys.ts';
import { readOne } from '../table/read-items.ts';
import { keysBetween, queryAll, type TableOptions } from '../table/table-client.ts';

/** Reads one event, from the items of the second in which the key of its item can be. */
export const eventAt =
  (table: TableOptions, { consistent }: { consistent: boolean }) =>
  async (emitterId: EmitterId, stream: StreamName, id: EventId): Promise<StoredEvent | undefined> => {
    const { from, to } = keysAround(id);
    const items = await queryAll(table, {
      ...keysBetween(streamPartition(emitterId, stream), from, to),
      ConsistentRead: consistent,
    });
    const events = items
      .flatMap((item) => readOne(id, () => fromEventItem(stream, item)))
      .filter((event) => event.id === id);
    return distinctEvents(events)[0];
  };
