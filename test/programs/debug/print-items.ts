import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { operateWith } from '../../../bin/admin/operate.ts';
import { builtAssemblyIn } from '../../../bin/built-assembly.ts';
import { builtCommand } from '../../../bin/built-command.mjs';
import { dynamoClient } from '../../../shared/aws/clients.ts';

/** Prints the items of one partition as JSON lines, bytes in base64. The service may run or not. */
const [, , partition = ''] = process.argv;
const shown = (_: string, value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;

const assembly = join(dirname(dirname(fileURLToPath(await builtCommand()))), 'assembly');
const operate = operateWith(() => Promise.resolve(builtAssemblyIn(assembly)));
await operate(undefined, async ({ names: { tableName: TableName } }) => {
  const query = {
    TableName,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': partition },
  };
  for await (const { Items = [] } of paginateQuery({ client: dynamoClient() }, query))
    for (const item of Items) process.stdout.write(`${JSON.stringify(item, shown)}\n`);
});
