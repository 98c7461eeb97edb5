import * as z from 'zod';
import { EmitterId, UserId } from '../../domain/id.ts';
import { removalKey, REMOVALS_PARTITION } from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import { deleteItem, putItem, queryAll, type TableOptions, wholePartition } from '../table/table-client.ts';

export const Removal = z.object({ emitterId: EmitterId, ownerId: UserId });
export type Removal = z.infer<typeof Removal>;

export type RemovalStore = ReturnType<typeof removalStore>;

/**
 * Emitters that the operator is removing. Tombstones are on no list, so an interrupted command is found and resumed
 * here.
 */
export function removalStore(table: TableOptions) {
  return {
    async begin(removal: Removal): Promise<void> {
      await putItem(table, { Item: { ...removalKey(removal.emitterId), ...removal } });
    },

    async end({ emitterId }: Pick<Removal, 'emitterId'>): Promise<void> {
      await deleteItem(table, { Key: removalKey(emitterId) });
    },

    /** Removals that were started and have not ended. */
    async list(): Promise<Removal[]> {
      const items = await queryAll(table, wholePartition(REMOVALS_PARTITION));
      return readItems(table, items, (item) => Removal.parse(item));
    },
  };
}
