import { setTimeout as pause } from 'node:timers/promises';
import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { ServiceError } from '../../domain/errors.ts';
import { endOfTick } from './batched-reads.ts';
import type { TableOptions } from './table-client.ts';

export type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const LARGEST_BATCH = 25;
const MAX_ATTEMPTS = 10;

/** Executes all writes, one batch after the other; unprocessed items are retried. A key may occur only once. */
export async function batchWrite({ dynamo, tableName }: TableOptions, writes: readonly WriteRequest[]): Promise<void> {
  for (let start = 0; start < writes.length; start += LARGEST_BATCH) {
    let left = writes.slice(start, start + LARGEST_BATCH);
    for (let attempt = 1; left.length > 0; attempt += 1) {
      const { UnprocessedItems } = await dynamo.send(new BatchWriteCommand({ RequestItems: { [tableName]: left } }));
      left = UnprocessedItems?.[tableName] ?? [];
      if (left.length === 0) break;
      if (attempt === MAX_ATTEMPTS) {
        throw new ServiceError(
          'unavailable',
          'The service accepts no more work at the moment; repeat the request in a few seconds.',
        );
      }
      await pause(Math.min(2 ** attempt * 10, 1_000) * (0.5 + 0.5 * Math.random()));
    }
  }
}

export type PutItem = Record<string, unknown> & { pk: string; sk: string };

export const puts = (items: readonly Record<string, unknown>[]): WriteRequest[] =>
  items.map((Item) => ({ PutRequest: { Item } }));

export const removals = (keys: readonly { pk?: unknown; sk?: unknown }[]): WriteRequest[] =>
  keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));

/** Puts of one tick of the event loop share requests. If two have one key, the later one counts. */
export function batchedPuts(table: TableOptions): (items: readonly PutItem[]) => Promise<void> {
  let pending: { items: Map<string, PutItem>; written: Promise<void> } | undefined;
  return async (added) => {
    if (added.length === 0) return;
    if (!pending) {
      const items = new Map<string, PutItem>();
      const written = endOfTick().then(() => {
        pending = undefined;
        return batchWrite(table, puts([...items.values()]));
      });
      pending = { items, written };
    }
    for (const item of added) pending.items.set(JSON.stringify([item.pk, item.sk]), item);
    await pending.written;
  };
}
