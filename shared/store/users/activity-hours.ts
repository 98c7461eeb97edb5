import type { UserId } from '../../domain/id.ts';
import { hourTextOf } from '../../domain/user/activity.ts';
import { type usageKey, userPartition } from '../table/keys.ts';
import { keysBetween, queryAll, type TableOptions } from '../table/table-client.ts';

/** The items of one kind from the hour of `from` to that of `to` (epoch ms), oldest first. */
export const activityHours = (
  table: TableOptions,
  ownerId: UserId,
  { keyOf, from, to }: { keyOf: typeof usageKey; from: number; to: number },
): Promise<Record<string, unknown>[]> =>
  queryAll(table, {
    ...keysBetween(userPartition(ownerId), keyOf(ownerId, hourTextOf(from)).sk, keyOf(ownerId, hourTextOf(to)).sk),
    ConsistentRead: false,
  });
