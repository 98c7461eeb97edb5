import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { decodeCursor, type CursorScope } from './cursor.ts';
import { pointersOf } from './keys.ts';
import { type TableOptions } from './table-client.ts';

/** A page of a list, newest first: `after` a cursor are older items, `before` it the nearest newer ones. */
export interface PageRequest {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
}

export interface Page<T> {
  items: T[];
  totalCount: number;
}

/**
 * Reads a page of pointer items, newest first, and the items that they point to. Items deleted meanwhile are left out; the page is empty
 * only at the end of the list.
 */
export async function readPage<T extends { id: string }>(
  table: TableOptions,
  {
    scope,
    request,
    read,
  }: { scope: CursorScope; request: PageRequest; read: (ids: string[]) => Promise<T[]> },
): Promise<T[]> {
  const upwards = request.before !== undefined;
  let from = position(scope, request);
  for (;;) {
    const ids = await nextIds(table, scope, { from, upwards, limit: request.limit });
    if (ids.length === 0) return [];
    const found = new Map((await read(ids)).map((item) => [item.id, item]));
    const items = ids.flatMap((id) => found.get(id) ?? []);
    if (items.length > 0) return upwards ? items.reverse() : items;
    from = ids.at(-1);
  }
}

function position(scope: CursorScope, { after, before }: PageRequest): string | undefined {
  if (after !== undefined) return decodeCursor(scope, after, 'after');
  return before === undefined ? undefined : decodeCursor(scope, before, 'before');
}

async function nextIds(
  { dynamo, tableName }: TableOptions,
  { list, ownerId }: CursorScope,
  { from, upwards, limit }: { from: string | undefined; upwards: boolean; limit: number },
): Promise<string[]> {
  const { pk, prefix } = pointersOf(list, ownerId);
  const { Items = [] } = await dynamo.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
      ConsistentRead: true,
      ScanIndexForward: upwards,
      Limit: limit,
      ...(from === undefined ? {} : { ExclusiveStartKey: { pk, sk: `${prefix}${from}` } }),
    }),
  );
  return Items.map(({ sk }) => String(sk).slice(prefix.length));
}
