import type { UserId } from '../../domain/id.ts';
import type { PointerList } from './keys.ts';
import { pointedIds } from './page.ts';
import { batchGet, type Key, type TableOptions } from './table-client.ts';

const BATCH = 100;

/** The items of a list, newest first, in batches: only one batch is in memory at a time. */
export async function* pointedItems(
  table: TableOptions,
  { list, ownerId, keyOf }: { list: PointerList; ownerId: UserId; keyOf: (id: string) => Key },
): AsyncGenerator<Record<string, unknown>[]> {
  const ids = await pointedIds(table, { list, ownerId });
  for (let start = 0; start < ids.length; start += BATCH)
    yield batchGet(table, ids.slice(start, start + BATCH).map(keyOf));
}
