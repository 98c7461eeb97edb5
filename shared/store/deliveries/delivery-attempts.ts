import { Attempt } from '../../domain/delivery/delivery.ts';
import type { DeliveryId } from '../../domain/id.ts';
import { ATTEMPT_PREFIX, attemptKey, attemptsPartition } from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import { beginningWith, queryAll, type TableOptions } from '../table/table-client.ts';

/** The first attempt and the last 19 are kept. */
export const KEPT_ATTEMPTS = 20;

/** Later attempts overwrite those in the middle. */
const slotOf = (attempt: number): number => (attempt === 1 ? 0 : 1 + ((attempt - 2) % (KEPT_ATTEMPTS - 1)));

export const toAttemptItem = (id: DeliveryId, attempt: Attempt) => ({
  ...attemptKey(id, slotOf(attempt.attempt)),
  ...attempt,
});

/** The first attempt and the last ones, in order. */
export async function readAttempts(table: TableOptions, id: DeliveryId): Promise<Attempt[]> {
  const items = await queryAll(table, beginningWith(attemptsPartition(id), ATTEMPT_PREFIX));
  return readItems(table, items, (item) => Attempt.parse(item)).sort((a, b) => a.attempt - b.attempt);
}
