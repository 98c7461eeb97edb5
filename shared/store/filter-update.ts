import type { EventFilter } from '../domain/event-pattern/event-filter.ts';
import type { Key, Writes } from './table-client.ts';

/** Sets or removes the filter of an item, on condition that it still belongs to the same subscription. */
export const filterUpdate = ({
  TableName,
  key,
  id,
  filter,
}: {
  TableName: string;
  key: Key;
  id: string;
  filter: EventFilter | undefined;
}): Writes[number] => ({
  Update: {
    TableName,
    Key: key,
    UpdateExpression: filter === undefined ? 'REMOVE #filter' : 'SET #filter = :filter',
    ConditionExpression: 'id = :id',
    ExpressionAttributeNames: { '#filter': 'filter' },
    ExpressionAttributeValues: { ':id': id, ...(filter === undefined ? {} : { ':filter': filter }) },
  },
});
