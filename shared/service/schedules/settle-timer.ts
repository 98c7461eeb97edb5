import { isSameSchedule } from '../../aws/scheduling/found-schedule.ts';
import type { SourceId } from '../../domain/id.ts';
import type { Source } from '../../domain/source/source.ts';
import { scheduleOfTimer, ticksBefore, type Timer, timerName } from '../timers/schedule-of-timer.ts';
import type { ReconcileContext } from './reconcile-context.ts';

/** Changes of one source by others, after which the next reconciliation has to look at it. */
const MAX_ROUNDS = 3;

/** The timer that a source has by its item. */
function timerOf({ id, ownerId, generation, state, traits, timerAnchor }: Source): Timer | undefined {
  if (state !== 'active' || !traits.timer || timerAnchor === undefined) return undefined;
  return { sourceId: id, ownerId, generation, anchor: timerAnchor, timer: traits.timer };
}

/**
 * Makes the schedule of a source's timer what the source says: makes it, replaces it or ends it. The lifecycle of the
 * source may write the same schedule meanwhile, so each change is followed by another look. A pending revision is left
 * to the lifecycle.
 */
export async function settleTimer(context: ReconcileContext, id: SourceId): Promise<void> {
  const { counts, isDry } = context;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const outcome = await settleOnce(context, id);
    if (outcome === 'settled' || (outcome === 'pending' && round === 0)) return;
    if (outcome === 'pending') break;
    counts[outcome].timers += 1;
    if (isDry) return;
  }
  counts.unsettled += 1;
}

async function settleOnce(
  { services }: ReconcileContext,
  id: SourceId,
): Promise<'settled' | 'pending' | 'created' | 'ended'> {
  const { sources, reader, schedules, queues, sendJobs, now } = services;
  const source = await sources.find(id);
  if (source?.pending) return 'pending';
  const timer = source && timerOf(source);
  const found = await reader.find(timerName(id));
  if (!timer) {
    if (!found) return 'settled';
    await schedules.delete(timerName(id));
    return 'ended';
  }
  const at = now();
  const schedule = scheduleOfTimer(timer, queues, at);
  if (found && isSameSchedule(found, schedule)) return 'settled';
  // A schedule that has appeared since is of the lifecycle, which knows more.
  if (found) await schedules.put(schedule);
  else await schedules.create(schedule);
  const ticks = ticksBefore(timer, at);
  if (ticks.length > 0) await sendJobs(ticks);
  return 'created';
}
