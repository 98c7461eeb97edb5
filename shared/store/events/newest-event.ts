import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type EventId, fromSortable } from '../../domain/event/event-id.ts';
import type { EmitterId } from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import { streamPartition } from '../table/keys.ts';
import { type TableOptions, wholePartition } from '../table/table-client.ts';

/** The id of the newest event in a stream, strongly consistent. */
export const newestEventStore =
  ({ dynamo, tableName }: TableOptions) =>
  async (emitterId: EmitterId, stream: StreamName): Promise<EventId | undefined> => {
    const { Items: [newest] = [] } = await dynamo.send(
      new QueryCommand({
        TableName: tableName,
        ...wholePartition(streamPartition(emitterId, stream)),
        ProjectionExpression: 'sk',
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: 1,
      }),
    );
    return newest && fromSortable(String(newest['sk']));
  };
