import type * as z from 'zod';
import type { RecoveryId, WebhookId } from '../../domain/id.ts';
import { Recovery } from '../../domain/delivery/recovery.ts';
import { recoveryKey } from '../table/keys.ts';
import { putItem, IS_NEW, getItem, type TableOptions } from '../table/table-client.ts';

/** The attribute of the chunk keeps the name of the first data format. */
export const RecoveryItem = Recovery.omit({ chunk: true }).extend({ part: Recovery.shape.chunk });

function fromItem(item: unknown): Recovery {
  const { part, ...same } = RecoveryItem.parse(item);
  return { ...same, chunk: part };
}

function toItem({ chunk, ...same }: Recovery): z.infer<typeof RecoveryItem> {
  return { ...same, part: chunk };
}

export type RecoveryStore = ReturnType<typeof recoveryStore>;

export function recoveryStore(table: TableOptions) {
  return {
    async find(webhookId: WebhookId): Promise<Recovery | undefined> {
      const Item = await getItem(table, recoveryKey(webhookId));
      return Item && fromItem(Item);
    },

    /** Writes a recovery in the place of the one that was read. False when another writer was faster. */
    async put(webhookId: WebhookId, recovery: Recovery, replaced: RecoveryId | undefined): Promise<boolean> {
      return putItem(table, {
        Item: { ...recoveryKey(webhookId), ...toItem(recovery) },
        ...(replaced === undefined
          ? IS_NEW
          : { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': replaced } }),
      });
    },
  };
}
