import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TableOptions } from '../../shared/store/table/table-client.ts';

/**
 * The table of a client whose responses are all lost once: the SDK repeats every request. The repetition of a
 * transaction has the token of the first attempt, so that DynamoDB writes it once:
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
export const repeatingTable = ({ dynamo, tableName }: TableOptions): TableOptions => ({
  tableName,
  dynamo: new Proxy(dynamo, {
    get(client, member) {
      if (member !== 'send') return Reflect.get(client, member) as unknown;
      return async (command: Parameters<typeof client.send>[0]) => {
        const output = await client.send(command);
        return command instanceof TransactWriteCommand ? output : client.send(command);
      };
    },
  }),
});
