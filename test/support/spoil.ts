import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Key, TableOptions } from '../../shared/store/table/table-client.ts';

/** Gives an item attributes of a shape that this release does not know. */
export async function spoil(
  { dynamo, tableName: TableName }: TableOptions,
  key: Key,
  attributes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(attributes);
  await dynamo.send(
    new UpdateCommand({
      TableName,
      Key: { ...key },
      UpdateExpression: `SET ${names.map((_, n) => `#n${n} = :n${n}`).join(', ')}`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#n${n}`, name])),
      ExpressionAttributeValues: Object.fromEntries(names.map((name, n) => [`:n${n}`, attributes[name]])),
    }),
  );
}
