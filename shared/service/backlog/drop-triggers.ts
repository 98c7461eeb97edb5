import type { Group, GroupResult } from '../../domain/run/received-trigger.ts';
import { fromPadded } from '../../store/emitters/backlog-item.ts';
import type { WaitingTrigger } from '../../store/emitters/waiting-triggers.ts';
import type { Executing } from './drain-progress.ts';

/** Drops triggers of one rank: each gets its record and nothing runs. A repetition changes nothing. */
export async function dropTriggers(
  { execute }: { execute(group: Group): Promise<GroupResult> },
  { group, progress, moved }: Executing,
  waiting: readonly WaitingTrigger[],
): Promise<void> {
  const firstReceivedAt = progress.firstMs;
  const received = waiting.flatMap(({ trigger, sequence, sentAt = firstReceivedAt }) =>
    trigger ? [{ ...fromPadded(sequence, moved), trigger, sentAt, firstReceivedAt, receiveCount: 1 }] : [],
  );
  const { error } = await execute({
    ...group,
    queue: fromPadded(waiting[0]?.sequence ?? moved.last, moved).queue,
    received,
    areDropped: true,
    ignoresProgress: waiting[0]?.rank !== 'next',
    mayStart: () => true,
  });
  if (error !== undefined) throw error;
  await progress.completeDeleted(waiting);
}
