import type { QueueAddresses } from '../../shared/aws/letters/dead-letters.ts';
import type { ScheduleTarget } from '../../shared/aws/letters/schedule-dead-letters.ts';
import { RetryMessage, JobMessage } from '../../shared/domain/run/message.ts';
import { parseTrigger } from '../../shared/domain/run/runs-message.ts';
import { refusedFailure } from '../tributary/failures.ts';

/** The queues that schedules send messages to. No two of them have a kind of message in common. */
type ScheduledQueue = 'runs' | 'retries' | 'timers';

const READERS: Readonly<Record<ScheduledQueue, (body: string) => { groupId?: string }>> = {
  runs: (body) => ({ groupId: parseTrigger(body).emitterId }),
  retries: (body) => {
    RetryMessage.parse(JSON.parse(body));
    return {};
  },
  timers: (body) => {
    JobMessage.parse(JSON.parse(body));
    return {};
  },
};

/** The queue of a schedule's message, by what it says; undefined if this release cannot read it. */
export function queueOfScheduled(body: string): { queue: ScheduledQueue; groupId?: string } | undefined {
  for (const queue of ['runs', 'retries', 'timers'] as const) {
    try {
      return { queue, ...READERS[queue](body) };
    } catch {
      continue;
    }
  }
  return undefined;
}

export const scheduleTargets =
  (queues: Readonly<Record<ScheduledQueue, QueueAddresses>>) =>
  ({ id, body }: { id: string; body: string }): ScheduleTarget => {
    const found = queueOfScheduled(body);
    if (!found) throw refusedFailure(`The message ${id} cannot be read by this release. Drop it to redrive others.`);
    const { queue, ...group } = found;
    return { url: queues[queue].url, ...group };
  };
