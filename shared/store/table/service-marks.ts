import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ServiceMarks } from '../../domain/service-health.ts';
import { serviceMarkKey, servicePartition } from './keys.ts';
import { getItem, queryAll, type TableOptions, wholePartition } from './table-client.ts';

const Mark = z.object({ sk: z.string(), at: z.number().optional() });

export type ServiceMarkStore = ReturnType<typeof serviceMarkStore>;

/**
 * Marks of the operator and of the heartbeat about the whole service. Each region has its own: a standby is paused on a
 * replica of the table.
 */
export function serviceMarkStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;
  const keyOf = async (mark: 'PAUSE' | 'API_PAUSE' | 'STALL') => serviceMarkKey(await dynamo.config.region(), mark);
  const put = async (mark: 'PAUSE' | 'API_PAUSE' | 'STALL', at: number | undefined) => {
    const Item = { ...(await keyOf(mark)), ...(at === undefined ? {} : { at }) };
    await dynamo.send(new PutCommand({ TableName, Item }));
  };
  return {
    async read(): Promise<ServiceMarks> {
      const partition = servicePartition(await dynamo.config.region());
      const items = z.array(Mark).parse(await queryAll(table, wholePartition(partition)));
      const atOf = (mark: string) => items.find(({ sk }) => sk === mark)?.at;
      return { pausedAt: atOf('PAUSE'), stalledSince: atOf('STALL') };
    },
    setStalled: (since: number | undefined): Promise<void> => put('STALL', since),
    /** Whether the operator has stopped changes over the API. */
    isApiPaused: async (): Promise<boolean> => (await getItem(table, await keyOf('API_PAUSE'))) !== undefined,
    async pause(at: number, { api }: { api: boolean }): Promise<void> {
      if (api) await put('API_PAUSE', at);
      await put('PAUSE', at);
    },
    async resume(): Promise<void> {
      for (const mark of ['API_PAUSE', 'PAUSE'] as const)
        await dynamo.send(new DeleteCommand({ TableName, Key: await keyOf(mark) }));
    },
  };
}
