import { ServiceError } from '../../domain/errors.ts';
import { parseFailure } from '../../domain/parse-failure.ts';
import { reportUnreadable } from '../../domain/unreadable.ts';
import { WorkSteps } from '../../lib/reading/work-steps.ts';
import type { TableOptions } from './table-client.ts';

export type Item = Record<string, unknown>;

/**
 * Reads the items of a list. An item that cannot be read is reported and left out; without `onUnreadable`, its error is
 * thrown. `pk` is the partition of items that were read without it.
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

/** All lists of a function share it, and so take at most half of its thread's time. */
const workSteps = new WorkSteps();

/** Reads the items of a list one after the other. The thread does other work after a few ms. */
export async function* readInSteps<T>(...[table, items, read]: Parameters<typeof readItems<T>>): AsyncGenerator<T> {
  for (const item of items) yield* await workSteps.run(() => readItems(table, [item], read));
}

export async function readList<T>(...list: Parameters<typeof readItems<T>>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of readInSteps(...list)) found.push(one);
  return found;
}

/**
 * Reads the item that a request is about. An unreadable item refuses the request: the message names it, and the cause,
 * for the log, says why.
 */
export function readOne<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (parseFailure(error) === undefined) throw error;
    throw new ServiceError(
      'unreadable',
      `This release of the service cannot read what is stored of ${name}: report this and the request_id to the operator.`,
      { cause: error, item: name },
    );
  }
}

const nameOf = ({ id, pk, sk }: Item): string =>
  typeof id === 'string' ? id : [pk, sk].filter((key) => typeof key === 'string').join(' ');
