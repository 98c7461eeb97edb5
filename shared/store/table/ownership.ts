import * as z from 'zod';
import { type EmitterId, type ListenerId, UserId } from '../../domain/id.ts';
import type { EmitterGlob } from '../../domain/subscription/subscription.ts';
import { itemKeyOf } from './item-of.ts';
import { getItem, type TableOptions } from './table-client.ts';

const Owned = z.object({
  ownerId: UserId,
  state: z.string().optional(),
  deleting: z.boolean().optional(),
});

export type OwnershipStore = ReturnType<typeof ownershipStore>;

/** Checks that emitters and listeners exist and belong to a user. */
export function ownershipStore(table: TableOptions) {
  return {
    /** The first id that does not exist or belongs to another user. Globs are always valid. */
    async missing(
      ownerId: UserId,
      ids: readonly (EmitterGlob | EmitterId | ListenerId)[],
    ): Promise<string | undefined> {
      const isMissing = await Promise.all(
        ids.map(async (id) => {
          if (id === 'dc_*' || id === 'p_*') return false;
          const Item = await getItem(table, itemKeyOf(id));
          const owned = Item && Owned.parse(Item);
          return owned?.ownerId !== ownerId || owned.state === 'deleting' || owned.deleting === true;
        }),
      );
      return ids.find((_, index) => isMissing[index]);
    },
  };
}
