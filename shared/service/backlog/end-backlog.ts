import { isDone } from '../../domain/run/received-trigger.ts';
import type { BacklogStore } from '../../store/emitters/backlog.ts';
import { fromPadded } from '../../store/emitters/backlog-item.ts';
import type { Emitter, EmitterStore } from '../../store/emitters/emitters.ts';
import type { Executing } from './drain-progress.ts';
import type { ExecuteChunkContext } from './execute-chunk.ts';
import { reportDeleted, reportDropped } from './dropped-notice.ts';

export interface EndBacklogContext extends ExecuteChunkContext {
  emitters: Pick<EmitterStore, 'load' | 'save'>;
  backlogs: ExecuteChunkContext['backlogs'] & Pick<BacklogStore, 'end'>;
}

/**
 * Ends a backlog of which no trigger is left. False when something has changed since the emitter was loaded: then the
 * caller begins anew. Messages of moved triggers may come again when the backlog has ended; `done` in the state of the
 * emitter tells that they are completed.
 */
export async function endBacklog(
  context: EndBacklogContext,
  executing: Executing,
  { source, state }: Emitter,
): Promise<boolean> {
  const { group, progress, moved } = executing;
  // A deleted source has no state, and its stream of errors is gone.
  if (source) {
    await progress.countRemoved(moved);
    if (progress.dropped > 0) {
      await reportDropped(context, executing);
      return false;
    }
    if (progress.deleted !== undefined) {
      await reportDeleted(context, executing);
      return false;
    }
    const done = fromPadded(moved.last, moved);
    const isKnown = isDone(state.done, done, done);
    if (!isKnown && !(await context.emitters.save({ emitterId: source.id, state: { ...state, done } }))) return false;
  }
  if (!(await context.backlogs.end(group.emitterId, moved))) return false;
  context.log('backlog.ended', { emitter: group.emitterId });
  return true;
}
