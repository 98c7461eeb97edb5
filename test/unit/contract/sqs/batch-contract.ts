import { describe, expect } from 'vitest';
import type { Contract } from './contract.ts';

/** The faults that fail a whole batch, for every batch operation. */
export function batchContract({ promise, queue, refused, batches }: Contract): void {
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `e${n}`);

  for (const [operation, callBatch] of Object.entries(batches)) {
    describe(operation, () => {
      promise(`${operation} refuses an empty batch`, async () => {
        await refused(callBatch(await queue(), []), 'EmptyBatchRequest');
      });

      promise(`${operation} refuses eleven entries`, async () => {
        await refused(callBatch(await queue(), ids(11)), 'TooManyEntriesInBatchRequest');
      });

      promise(`${operation} refuses an id that occurs twice`, async () => {
        await refused(callBatch(await queue(), ['a', 'b', 'a']), 'BatchEntryIdsNotDistinct');
      });

      promise(`${operation} takes an id of 80 characters`, async () => {
        const { Successful = [], Failed = [] } = await callBatch(await queue(), ['x'.repeat(80)]);
        expect([...Successful, ...Failed]).toHaveLength(1);
      });

      for (const id of ['x'.repeat(81), 'a.b', 'a b']) {
        promise(`${operation} refuses the id ${id}`, async () => {
          await refused(callBatch(await queue(), [id]), 'InvalidBatchEntryId');
        });
      }
    });
  }
}
