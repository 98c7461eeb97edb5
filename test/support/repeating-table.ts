import { randomUUID } from 'node:crypto';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { TableOptions } from '../../shared/store/table/table-client.ts';

/** The table of a client whose responses are all lost once: the SDK repeats every request. */
export const repeatingTable = ({ dynamo, tableName }: TableOptions): TableOptions => ({
  tableName,
  dynamo: new Proxy(dynamo, {
    get(client, member) {
      if (member !== 'send') return Reflect.get(client, member) as unknown;
      return async (command: Parameters<typeof client.send>[0]) => {
        // The SDK gives a transaction its token once, before it sends the request.
        if (command instanceof TransactWriteCommand) command.input.ClientRequestToken = randomUUID();
        await client.send(command);
        return client.send(command);
      };
    },
  }),
});
