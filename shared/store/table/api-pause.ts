import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { API_PAUSE_KEY as Key } from './keys.ts';
import { getItem, type TableOptions } from './table-client.ts';

export type ApiPauseStore = ReturnType<typeof apiPauseStore>;

/** Whether the operator has stopped changes over the API. */
export function apiPauseStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;
  return {
    isPaused: async (): Promise<boolean> => (await getItem(table, Key)) !== undefined,
    async pause(): Promise<void> {
      await dynamo.send(new PutCommand({ TableName, Item: Key }));
    },
    async resume(): Promise<void> {
      await dynamo.send(new DeleteCommand({ TableName, Key }));
    },
  };
}
