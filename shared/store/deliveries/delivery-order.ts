import type { Delivery } from '../../domain/delivery/delivery.ts';
import { firstIdAt } from '../../domain/id.ts';

/** Deliveries with ids from..to, both included, in ascending or descending order. */
export interface IdRange {
  from: string;
  to: string;
  isUpwards: boolean;
}

/** Beyond the time of every id, with room for a span in the nine digits of an id's time. */
const LAST_MS = 36 ** 9 - 1_000_000;

/** The ids of deliveries that were created within these times, both included, epoch ms. */
export const idsBetween = (fromMs: number, toMs: number): Pick<IdRange, 'from' | 'to'> => ({
  from: firstIdAt('delivery', Math.min(fromMs, LAST_MS)),
  to: `${firstIdAt('delivery', Math.min(toMs, LAST_MS))}~`,
});

/** Sorts after this id and before every greater one. */
export const idsAfter = (id: string): string => `${id} `;

export const WHOLE_RANGE: IdRange = { ...idsBetween(0, LAST_MS), isUpwards: false };

/** Merges two ordered sequences. If both have a delivery, that of the first sequence wins. */
export async function* mergeDeliveries(
  first: AsyncGenerator<Delivery>,
  second: AsyncGenerator<Delivery>,
  isUpwards: boolean,
): AsyncGenerator<Delivery> {
  let [one, other] = [await first.next(), await second.next()];
  while (!one.done || !other.done) {
    if (one.done) {
      if (other.done) return;
      yield other.value;
      other = await second.next();
    } else if (other.done || (one.value.id !== other.value.id && one.value.id < other.value.id === isUpwards)) {
      yield one.value;
      one = await first.next();
    } else if (one.value.id === other.value.id) {
      other = await second.next();
    } else {
      yield other.value;
      other = await second.next();
    }
  }
}
