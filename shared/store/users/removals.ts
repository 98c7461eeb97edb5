import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { EmitterId, UserId } from '../../domain/id.ts';
import { removalKey, REMOVALS_PARTITION } from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import { queryAll, type TableOptions } from '../table/table-client.ts';

export const Removal = z.object({ emitterId: EmitterId, ownerId: UserId });
export type Removal = z.infer<typeof Removal>;

/** Emitters that the operator is removing. Tombstones are on no list, so an interrupted command is found and resumed here. */
export function removalStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;
  return {
    async begin(removal: Removal): Promise<void> {
      await dynamo.send(
        new PutCommand({ TableName, Item: { ...removalKey(removal.emitterId), ...removal } }),
      );
    },

    async end({ emitterId }: Pick<Removal, 'emitterId'>): Promise<void> {
      await dynamo.send(new DeleteCommand({ TableName, Key: removalKey(emitterId) }));
    },

    /** Removals that were started and have not ended. */
    async list(): Promise<Removal[]> {
      const items = await queryAll(table, {
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': REMOVALS_PARTITION },
      });
      return readItems(table, items, (item) => Removal.parse(item));
    },
  };
}
