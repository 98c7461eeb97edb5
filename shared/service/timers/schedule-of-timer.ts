import { SCHEDULED_TIME, type Schedule } from '../../aws/schedules.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';
import { cronSchedule, type TimerSchedule } from '../../domain/component/timer-schedule.ts';
import { nextDue } from '../../domain/component/timer-ticks.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import { messageText } from '../../domain/run/message-text.ts';
import type { DelayedJob, ScheduledTick, JobMessage } from '../../domain/run/message.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import { delayUntil, dueWithin } from './due-times.ts';

export interface Timer {
  sourceId: SourceId;
  ownerId: UserId;
  generation: number;
  /** Activation of the timer, epoch ms: an interval ticks at anchor + n × interval. */
  anchor: number;
  timer: NonNullable<SourceTraits['timer']>;
}

export interface TimerQueues {
  runsQueueArn: string;
  jobsQueueArn: string;
}

export const timerName = (sourceId: SourceId): string => `timer-${sourceId}`;

/** Intervals that are not whole minutes, which the scheduler does not have: a message a minute makes their ticks. */
const oddSeconds = (timer: Timer['timer']): number | undefined =>
  'intervalSeconds' in timer && timer.intervalSeconds % 60 !== 0 ? timer.intervalSeconds : undefined;

/**
 * The schedule of a timer. Its first firing is the first one after `now` that keeps step with the anchor: a schedule
 * that is made again moves no tick. Without a start date a rate schedule fires at creation.
 */
export function scheduleOfTimer(
  { sourceId, ownerId, generation, anchor, timer }: Timer,
  { runsQueueArn, jobsQueueArn }: TimerQueues,
  now: number,
): Schedule {
  const name = timerName(sourceId);
  const intervalSeconds = oddSeconds(timer);
  if (intervalSeconds !== undefined) {
    const minute: JobMessage = {
      kind: 'minute',
      sourceId,
      ownerId,
      generation,
      intervalSeconds,
      anchor,
      scheduledAt: SCHEDULED_TIME,
    };
    return {
      name,
      when: { expression: 'rate(1 minute)' },
      startAt: new Date(nextDue({ anchor, intervalSeconds: 60 }, now)),
      queueArn: jobsQueueArn,
      input: messageText(minute),
    };
  }
  const tick: ScheduledTick = { kind: 'tick', sourceId, ownerId, generation, scheduledAt: SCHEDULED_TIME };
  return {
    name,
    when: whenOf(timer, now),
    ...('intervalSeconds' in timer
      ? { startAt: new Date(nextDue({ anchor, intervalSeconds: timer.intervalSeconds }, now)) }
      : {}),
    queueArn: runsQueueArn,
    groupId: sourceId,
    input: messageText(tick),
  };
}

/**
 * The ticks that come before those of the schedule's first message, which makes the ticks of the minute after its own.
 */
export function ticksBefore({ sourceId, ownerId, generation, anchor, timer }: Timer, now: number): DelayedJob[] {
  const intervalSeconds = oddSeconds(timer);
  if (intervalSeconds === undefined) return [];
  const until = nextDue({ anchor, intervalSeconds: 60 }, now) + MINUTE_MS;
  return dueWithin({ anchor, intervalSeconds }, Math.max(anchor, now), until).map((dueAt) => ({
    message: { kind: 'due', sourceId, ownerId, generation, dueAt },
    delaySeconds: delayUntil(dueAt, now),
  }));
}

function whenOf(timer: Timer['timer'], now: number): TimerSchedule {
  if ('cron' in timer) return cronSchedule(timer.cron, timer.timezone, now);
  const minutes = timer.intervalSeconds / 60;
  return { expression: `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})` };
}
