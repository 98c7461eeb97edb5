import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { TableOptions } from '../../shared/store/table/table-client.ts';

type Command = Parameters<DynamoDBDocumentClient['send']>[0];

/** The table, with something done before each request. The request fails when that fails. */
export const tableWith = (
  { dynamo, ...same }: TableOptions,
  before: (command: Command) => void | Promise<void>,
): TableOptions => ({
  ...same,
  dynamo: new Proxy(dynamo, {
    get(client, member) {
      if (member !== 'send') return Reflect.get(client, member) as unknown;
      return async (command: Command) => {
        await before(command);
        return client.send(command);
      };
    },
  }),
});

/** The table of a process that dies after so many writes. */
export function dyingTable(table: TableOptions, writes: number): TableOptions {
  let left = writes;
  return tableWith(table, (command) => {
    const isRead =
      command instanceof GetCommand || command instanceof QueryCommand || command instanceof BatchGetCommand;
    if (!isRead && (left -= 1) < 0) throw new Error('power');
  });
}
