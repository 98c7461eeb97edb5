import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../domain/errors.ts';

/** With the pauses between them, one of many concurrent writers succeeds each time. */
const MAX_ATTEMPTS = 40;
const LONGEST_PAUSE_MS = 250;

interface CurrentChange<Item, Found, Result> {
  /** The item, if it was read before. */
  read?: Item;
  /** Reads the item. Undefined ends the change without a write. */
  find(): Promise<Found>;
  /**
   * Decides the change and writes it on condition that the item is unchanged. `undefined` and `false` mean that another
   * writer came first; any other result ends the change, also one without a write.
   */
  write(item: Item): Promise<Result | undefined | false>;
}

interface Pauses {
  /** A fraction of 1. */
  random(): number;
  pause(ms: number): Promise<unknown>;
}

/** Changes an item under optimistic locking. Undefined when there is no item. */
export async function changeCurrent<Item extends object | string, Result>(
  change: CurrentChange<Item, Item, Result>,
  pauses?: Pauses,
): Promise<Result>;
export async function changeCurrent<Item extends object | string, Result>(
  change: CurrentChange<Item, Item | undefined, Result>,
  pauses?: Pauses,
): Promise<Result | undefined>;
export async function changeCurrent<Item, Result>(
  { read, find, write }: CurrentChange<Item, Item | undefined, Result>,
  { random, pause }: Pauses = { random: Math.random, pause: wait },
): Promise<Result | undefined> {
  let item = read ?? (await find());
  for (let attempt = 1; item !== undefined; attempt += 1) {
    const result = await write(item);
    if (result !== undefined && result !== false) return result;
    if (attempt === MAX_ATTEMPTS) throw contested();
    await pause(random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS));
    item = await find();
  }
  return undefined;
}

const contested = () =>
  new ServiceError(
    'unavailable',
    `Other requests changed the same object during each of ${MAX_ATTEMPTS} attempts; repeat the request in a few seconds.`,
  );
