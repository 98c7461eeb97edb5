import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { ServiceMarks } from '../../domain/service-health.ts';
import { PAUSE_KEY, SERVICE_PARTITION, STALL_KEY } from './keys.ts';
import { queryAll, type TableOptions, wholePartition } from './table-client.ts';

const Mark = z.object({ sk: z.string(), at: z.number().optional() });

/** Marks of the operator and of the heartbeat about the whole service. */
export function serviceMarkStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;
  const put = (key: object, at: number | undefined) =>
    dynamo.send(new PutCommand({ TableName, Item: { ...key, ...(at === undefined ? {} : { at }) } }));
  return {
    async read(): Promise<ServiceMarks> {
      const items = z.array(Mark).parse(await queryAll(table, wholePartition(SERVICE_PARTITION)));
      const atOf = (key: { sk: string }) => items.find(({ sk }) => sk === key.sk)?.at;
      return { pausedAt: atOf(PAUSE_KEY), stalledSince: atOf(STALL_KEY) };
    },
    async setStalled(since: number | undefined): Promise<void> {
      await put(STALL_KEY, since);
    },
    async pause(at: number): Promise<void> {
      await put(PAUSE_KEY, at);
    },
    async resume(): Promise<void> {
      await dynamo.send(new DeleteCommand({ TableName, Key: PAUSE_KEY }));
    },
  };
}
