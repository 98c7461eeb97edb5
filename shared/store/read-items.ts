import { reportUnreadable } from '../domain/unreadable.ts';
import type { TableOptions } from './table-client.ts';

type Item = Record<string, unknown>;

/**
 * Reads the items of a list. An item that cannot be read is reported and left out; without `onUnreadable`, its error is thrown. `pk` is the
 * partition of items that were read without it.
 */
export function readItems<T>(
  { onUnreadable }: Pick<TableOptions, 'onUnreadable'>,
  items: readonly Item[],
  read: (item: Item) => T,
  pk?: string,
): T[] {
  if (!onUnreadable) return items.map(read);
  return items.flatMap((item) => {
    try {
      return [read(item)];
    } catch (error) {
      reportUnreadable(nameOf({ pk, ...item }), onUnreadable, error);
      return [];
    }
  });
}

/** The id of an item, or its key. */
const nameOf = ({ id, pk, sk }: Item): string =>
  typeof id === 'string' ? id : [pk, sk].filter((key) => typeof key === 'string').join(' ');
