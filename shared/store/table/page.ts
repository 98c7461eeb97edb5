import type { UserId } from '../../domain/id.ts';
import { readCounts } from './counts.ts';
import { decodeCursor, type CursorScope } from './cursor.ts';
import { type PointerList, pointersOf } from './keys.ts';
import { beginningWith, queryAll, queryPage, type TableOptions, batchGet, type Key } from './table-client.ts';

/** A page of a list, newest first: `after` a cursor are older items, `before` it the nearest newer ones. */
export interface PageRequest {
  limit: number;
  after?: string | undefined;
  before?: string | undefined;
}

export interface Page<T> {
  items: T[];
  totalCount: number;
}

/** Whether an item belongs to the requested list. */
export type Filter<T> = (item: T) => boolean | Promise<boolean>;

/** A list whose items are counted, with a pointer item for each. */
interface CountedScope extends CursorScope {
  list: 'sources' | 'webhooks';
}

interface ListOptions<T, Scope = CursorScope> {
  scope: Scope;
  request: PageRequest;
  /** Reads the items of these ids, in any order; leaves out deleted items. */
  read: (ids: string[]) => Promise<T[]>;
  /** Pages, cursors and the total count contain only items that pass the filter. */
  filter?: Filter<T> | undefined;
}

/** Reads a page of pointer items, newest first, and the items that they point to. */
export async function readPage<T extends { id: string }>(
  table: TableOptions,
  { filter, ...options }: ListOptions<T, CountedScope>,
): Promise<Page<T>> {
  const { list, ownerId } = options.scope;
  if (filter) return readFilteredPage({ filter, ...options, ids: () => pointedIds(table, { list, ownerId }) });
  const [items, counts] = await Promise.all([readItems(table, options), readCounts(table, ownerId)]);
  return { items, totalCount: counts[list] };
}

/** Leaves out items deleted meanwhile; the page is empty only at the end of the list. */
async function readItems<T extends { id: string }>(
  table: TableOptions,
  { scope, request, read }: ListOptions<T, CountedScope>,
): Promise<T[]> {
  const upwards = request.before !== undefined;
  let from = position(scope, request);
  for (;;) {
    const ids = await nextPointedIds(table, scope, { from, upwards, limit: request.limit });
    if (ids.length === 0) return [];
    const items = inOrder(ids, await read(ids));
    if (items.length > 0) return upwards ? items.reverse() : items;
    from = ids.at(-1);
  }
}

const BATCH = 100;

/**
 * Reads the whole list to count the items that match. A user's limits bound the list (1,000 items by default), and only
 * one batch and one page are in memory at a time.
 */
export async function readFilteredPage<T extends { id: string }>({
  scope,
  request,
  ids: readIds,
  read,
  filter = () => true,
}: ListOptions<T> & {
  /** All ids of the list, newest first. */
  ids: () => Promise<string[]>;
}): Promise<Page<T>> {
  const upwards = request.before !== undefined;
  const from = position(scope, request);
  const isBeyondCursor = (id: string) => from === undefined || (upwards ? id > from : id < from);
  const ids = await readIds();
  const items: T[] = [];
  let totalCount = 0;
  for (let start = 0; start < ids.length; start += BATCH) {
    const batch = ids.slice(start, start + BATCH);
    const found = inOrder(batch, await read(batch));
    const passes = await Promise.all(found.map(filter));
    for (const item of found.filter((_, n) => passes[n])) {
      totalCount += 1;
      const isFull = items.length === request.limit;
      if (!isBeyondCursor(item.id) || (isFull && !upwards)) continue;
      if (isFull) items.shift();
      items.push(item);
    }
  }
  return { items, totalCount };
}

function inOrder<T extends { id: string }>(ids: readonly string[], items: readonly T[]): T[] {
  const found = new Map(items.map((item) => [item.id, item]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

function position(scope: CursorScope, { after, before }: PageRequest): string | undefined {
  if (after !== undefined) return decodeCursor(scope, after, 'after');
  return before === undefined ? undefined : decodeCursor(scope, before, 'before');
}

/** The next ids of a list's pointer items behind `from`. */
export async function nextPointedIds(
  table: TableOptions,
  { list, ownerId }: { list: PointerList; ownerId: UserId },
  { from, upwards, limit }: { from: string | undefined; upwards: boolean; limit: number },
): Promise<string[]> {
  const { pk, prefix } = pointersOf(list, ownerId);
  const items = await queryPage(table, {
    ...beginningWith(pk, prefix),
    ScanIndexForward: upwards,
    Limit: limit,
    ...(from === undefined ? {} : { ExclusiveStartKey: { pk, sk: `${prefix}${from}` } }),
  });
  return items.map(({ sk }) => String(sk).slice(prefix.length));
}

/** The ids of all pointer items of a list, newest first. */
export async function pointedIds(
  table: TableOptions,
  { list, ownerId }: { list: PointerList; ownerId: UserId },
): Promise<string[]> {
  const { pk, prefix } = pointersOf(list, ownerId);
  const pointers = await queryAll(table, { ...beginningWith(pk, prefix), ScanIndexForward: false });
  return pointers.map(({ sk }) => String(sk).slice(prefix.length));
}

/** The items of a list, newest first, in batches: only one batch is in memory at a time. */
export async function* pointedItems(
  table: TableOptions,
  { list, ownerId, keyOf }: { list: PointerList; ownerId: UserId; keyOf: (id: string) => Key },
): AsyncGenerator<Record<string, unknown>[]> {
  const ids = await pointedIds(table, { list, ownerId });
  for (let start = 0; start < ids.length; start += BATCH)
    yield batchGet(table, ids.slice(start, start + BATCH).map(keyOf));
}
