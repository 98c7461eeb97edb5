import type { UserId } from '../../domain/id.ts';
import { isDropNotice } from '../../domain/run/drop-notice.ts';
import { dayOf } from '../../domain/user/user.ts';
import { type Storage, STORAGE_FULL } from '../admission/storage.ts';
import type { EmitterState } from '../../store/emitters/emitters.ts';
import type { Planned } from './number-events.ts';
import { errorEventOf, ourError } from './planned-event.ts';

export interface StorageContext {
  storage: Pick<Storage, 'isFull'>;
}

interface StorageWork {
  ownerId: UserId;
  planned: readonly Planned[];
  state: Pick<EmitterState, 'quotaDay'>;
  changes?: Partial<Pick<EmitterState, 'quotaDay'>>;
}

/**
 * Drops the events of a user who has reached the limit of stored bytes. One `storage_full` event says so, unless the
 * emitter had a notice today.
 */
export async function withinStorage<Work extends StorageWork>(
  { storage }: StorageContext,
  input: Work,
  now: number,
): Promise<Work> {
  const { ownerId, planned, state, changes } = input;
  const isKept = ({ triggerId, events }: Planned) => events.length === 0 || isDropNotice(triggerId);
  if (planned.every(isKept) || !(await storage.isFull(ownerId))) return input;
  const emptied = planned.map((trigger) => (isKept(trigger) ? trigger : { ...trigger, events: [] }));
  const last = emptied.at(-1);
  const today = dayOf(now);
  if (!last || state.quotaDay === today) return { ...input, planned: emptied };
  const error = ourError('storage_full', `${STORAGE_FULL} Until then the events of runs are dropped.`);
  const report = errorEventOf(last.context, error, now);
  return {
    ...input,
    planned: [...emptied.slice(0, -1), { ...last, events: [...last.events, report] }],
    changes: { ...changes, quotaDay: today },
  };
}
