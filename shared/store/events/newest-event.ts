import { type EventId, fromSortable } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import { streamPartition } from '../table/keys.ts';
import { queryPage, type TableOptions, wholePartition } from '../table/table-client.ts';

/** The id of the newest event in a stream, strongly consistent. */
export const newestEventStore =
  (table: TableOptions) =>
  async (emitterId: EmitterId, stream: StreamName): Promise<EventId | undefined> => {
    const [newest] = await queryPage(table, {
      ...wholePartition(streamPartition(emitterId, stream)),
      ProjectionExpression: 'sk',
      ScanIndexForward: false,
      Limit: 1,
    });
    return newest && fromSortable(String(newest['sk']));
  };
