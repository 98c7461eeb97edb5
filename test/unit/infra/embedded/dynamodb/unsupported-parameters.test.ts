import { expect, it } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { refuseUnknown } from '../../../../../infra/embedded/dynamodb/request.ts';
import { openEventTable } from '../../../../support/event-table.ts';
import { GetCommand, PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

it.each([
  ...['AttributesToGet', 'AttributeUpdates', 'Expected', 'ConditionalOperator', 'KeyConditions', 'QueryFilter'],
  ...['IndexName', 'ReturnValuesOnConditionCheckFailure'],
])('refuses a request with %s, because to ignore it would be wrong', (member) => {
  expect(() => refuseUnknown({ TableName: 'table', [member]: {} })).toThrow(
    `The parameter ${member} is not supported.`,
  );
});

it('refuses it in each operation', async () => {
  const { table } = await openEventTable({ clock: new FakeClock() });
  const { dynamo, tableName: TableName } = table;
  const Key = { pk: 'a', sk: 'b' };
  const Expected = {};
  const commands = [
    new GetCommand({ TableName, Key, AttributesToGet: ['pk'] }),
    new PutCommand({ TableName, Item: Key, Expected }),
    new UpdateCommand({ TableName, Key, Expected, UpdateExpression: 'REMOVE n' }),
    new QueryCommand({
      TableName,
      IndexName: 'i',
      KeyConditionExpression: 'pk = :a',
      ExpressionAttributeValues: { ':a': 'a' },
    }),
    new TransactWriteCommand({
      TransactItems: [{ Put: { TableName, Item: Key, ReturnValuesOnConditionCheckFailure: 'NONE' } }],
    }),
  ];
  for (const command of commands)
    await expect(dynamo.send(command as PutCommand), command.constructor.name).rejects.toThrow('is not supported');
});
