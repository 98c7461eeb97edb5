import { randomUUID } from 'node:crypto';
import { updateItem, type Key, type TableOptions } from './table-client.ts';

interface Addition {
  /** Names and amounts of the counters. */
  counts: readonly (readonly [string, number])[];
  /** Epoch seconds; the first addition sets it. */
  expiresAt: number;
}

/** 48 random bits, the last group of a UUID: Node keeps random bytes for UUIDs, but asks the system for others. */
const newMark = (): string => randomUUID().slice(-12);

/**
 * Adds to the counters of an item in one write. The SDK repeats a request whose response was lost; the mark of the last
 * addition makes the repetition void, unless another writer was in between.
 */
export async function addOnce(table: TableOptions, Key: Key, { counts, expiresAt }: Addition): Promise<void> {
  await updateItem(table, {
    Key: { ...Key },
    UpdateExpression: `ADD ${counts.map((_, n) => `#n${n} :n${n}`).join(', ')} SET expiresAt = if_not_exists(expiresAt, :expires), #mark = :mark`,
    ConditionExpression: 'attribute_not_exists(#mark) OR #mark <> :mark',
    ExpressionAttributeNames: {
      '#mark': 'z',
      ...Object.fromEntries(counts.map(([name], n) => [`#n${n}`, name])),
    },
    ExpressionAttributeValues: {
      ':expires': expiresAt,
      ':mark': newMark(),
      ...Object.fromEntries(counts.map(([, count], n) => [`:n${n}`, count])),
    },
  });
}
