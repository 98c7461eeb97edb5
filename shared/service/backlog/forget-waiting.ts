import type { Bucket } from '../../aws/bucket.ts';
import type { SourceId } from '../../domain/id.ts';
import { LAST_SEQUENCE } from '../../store/emitters/backlog-item.ts';
import type { WaitingTrigger, WaitingTriggerStore } from '../../store/emitters/waiting-triggers.ts';

export interface ForgetWaitingContext {
  waitingTriggers: Pick<WaitingTriggerStore, 'first' | 'next' | 'remove'>;
  bucket: Pick<Bucket, 'delete'>;
}

const PAGE = 100;

/**
 * Removes the triggers that wait for a deleted source. `hasBacklog`: the deletion is itself a trigger of the backlog,
 * which ends afterwards; so updates and deletions stay, and an interrupted deletion is executed again.
 */
export async function forgetWaiting(
  { waitingTriggers, bucket }: ForgetWaitingContext,
  sourceId: SourceId,
  { hasBacklog }: { hasBacklog: boolean },
): Promise<void> {
  const removeAll = async (read: () => Promise<WaitingTrigger[]>) => {
    for (let page = await read(); page.length > 0; page = await read()) {
      await Promise.all(page.map(({ objectKey }) => objectKey !== undefined && bucket.delete(objectKey)));
      await waitingTriggers.remove(sourceId, page);
    }
  };
  await removeAll(() => waitingTriggers.next(sourceId, { last: LAST_SEQUENCE, limit: PAGE }));
  if (!hasBacklog) await removeAll(() => waitingTriggers.first(sourceId, PAGE));
}
