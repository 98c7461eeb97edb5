import { randomUUID } from 'node:crypto';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { conditionally, type Key, type TableOptions } from './table-client.ts';

interface ItemChange {
  /** Attributes to set; those that are undefined are removed. */
  change: Readonly<Record<string, unknown>>;
  /** The version that was read. The change increases it; without a version the change overwrites. */
  version?: number;
}

/** Changes attributes of an existing item. Undefined when the item is absent or has another version. */
export async function changeItem(
  { dynamo, tableName }: TableOptions,
  key: Key,
  change: ItemChange,
): Promise<Record<string, unknown> | undefined> {
  const update = itemUpdate(tableName, key, change);
  const written = await conditionally(() => dynamo.send(new UpdateCommand({ ...update, ReturnValues: 'ALL_NEW' })));
  return written?.Attributes;
}

/** The same as a part of a transaction. */
export function itemUpdate(TableName: string, key: Key, { change, version }: ItemChange) {
  const changedBy = randomUUID();
  const changes = { ...change, ...(version === undefined ? {} : { version: version + 1, changedBy }) };
  const names = Object.keys(changes);
  const values = Object.entries(changes).filter(([, value]) => value !== undefined);
  const removed = names.filter((name) => Reflect.get(changes, name) === undefined);
  // The first alternative is this very change: the SDK repeats a request whose response was lost.
  const unchanged = `(changedBy = :changedBy OR ${version === 0 ? 'attribute_not_exists(version) OR ' : ''}version = :before)`;
  return {
    TableName,
    Key: { ...key },
    UpdateExpression: [
      ...(values.length > 0 ? [`SET ${values.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: version === undefined ? 'attribute_exists(pk)' : `attribute_exists(pk) AND ${unchanged}`,
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    // Empty values are refused.
    ...(values.length === 0
      ? {}
      : {
          ExpressionAttributeValues: {
            ...Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
            ...(version === undefined ? {} : { ':before': version }),
          },
        }),
  };
}
