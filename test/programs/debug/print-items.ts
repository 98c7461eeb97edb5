import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { operateWith } from '../../../bin/admin/operate.ts';
import { builtAssemblyIn } from '../../../bin/built-assembly.ts';
import { builtCommand } from '../../../bin/built-command.mjs';
import * as z from 'zod';
import { dynamoClient } from '../../../shared/aws/clients.ts';
import { programArguments } from '../../support/program-arguments.ts';

const {
  names: [partition],
} = programArguments({
  usage: 'npm run print-items -- PARTITION',
  does: 'Prints the items of a partition as JSON lines, bytes in base64. shared/store/table/keys.ts lists the partitions.',
  names: z.tuple([z.string().min(1)], 'Name one partition, such as USERS.'),
  options: {},
});
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
