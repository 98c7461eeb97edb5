import { type EventId, sortableEventId } from '../../domain/event/event-id.ts';
import { KEPT_EVENTS, SLACK } from '../../domain/event/trimming.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import { fromEventItem, distinctEvents } from './event-batch.ts';
import type { StoredEvent } from './event-item.ts';
import { streamPartition } from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import { queryPage, type TableOptions } from '../table/table-client.ts';

/** All that a stream may store. */
const MAX_STORED = KEPT_EVENTS + SLACK;

/** Reads the stored events of a stream from a position on, newest first, strongly consistent. */
export type ReadNewest = (emitterId: EmitterId, stream: StreamName, from: EventId) => Promise<StoredEvent[]>;

export const newestEvents =
  (table: TableOptions): ReadNewest =>
  async (emitterId, stream, from) => {
    const items = await queryPage(table, {
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      ExpressionAttributeValues: {
        ':pk': streamPartition(emitterId, stream),
        ':from': sortableEventId(from),
      },
      ScanIndexForward: false,
      Limit: MAX_STORED,
    });
    const events = readItems(table, items, (item) => fromEventItem(stream, item)).flat();
    return distinctEvents(events.filter(({ id }) => sortableEventId(id) >= sortableEventId(from))).slice(0, MAX_STORED);
  };
