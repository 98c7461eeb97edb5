import { dayOf } from '../../domain/user.ts';
import { type Storage, STORAGE_FULL } from '../admission/storage.ts';
import type { CommitInput } from './commit.ts';
import { errorEventOf, ourError } from './run-outcome.ts';

export interface StorageContext {
  storage: Pick<Storage, 'isFull'>;
}

/**
 * Drops the events of a user who has reached the limit of stored bytes. One `storage_full` event says so, unless the emitter had a notice
 * today.
 */
export async function withinStorage(
  { storage }: StorageContext,
  input: CommitInput,
  now: number,
): Promise<CommitInput> {
  const { ownerId, planned, state, changes } = input;
  if (!planned.some(({ events }) => events.length > 0) || !(await storage.isFull(ownerId))) return input;
  const emptied = planned.map((trigger) => ({ ...trigger, events: [] }));
  const last = emptied.at(-1);
  const today = dayOf(now);
  if (!last || state.quotaDay === today) return { ...input, planned: emptied };
  const error = ourError('storage_full', `${STORAGE_FULL} Until then the events of runs are dropped.`);
  const report = errorEventOf(last.context, error, now);
  return {
    ...input,
    planned: [...emptied.slice(0, -1), { ...last, events: [report] }],
    changes: { ...changes, quotaDay: today },
  };
}
