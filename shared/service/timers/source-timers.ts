import { messageText } from '../../domain/run/message-text.ts';
import { SCHEDULED_TIME, type Schedules } from '../../aws/schedules.ts';
import { MINUTE_MS } from '../../lib/durations.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { ScheduledTick, TimerMessage } from '../../domain/run/message.ts';
import type { SourceTraits } from '../../domain/component/source-traits.ts';
import { cronSchedule, type TimerSchedule } from '../../domain/component/timer-schedule.ts';
import { delayUntil, dueWithin, nextDue } from './due-times.ts';

export interface SourceTimers {
  /**
   * Starts ticks one interval after `anchor`; ticks of other generations are dropped. An anchor of the past starts the ticks again that
   * it has had: all schedules that are created again at once keep the seconds in which their sources were activated.
   */
  start(timer: Timer): Promise<void>;
  stop(sourceId: SourceId): Promise<void>;
}

interface Timer {
  sourceId: SourceId;
  ownerId: UserId;
  generation: number;
  /** Epoch ms. */
  anchor: number;
  timer: NonNullable<SourceTraits['timer']>;
}

export interface SourceTimersOptions {
  schedules: Schedules;
  sendTimers(messages: readonly { message: TimerMessage; delaySeconds: number }[]): Promise<void>;
  runsQueueArn: string;
  timersQueueArn: string;
  now(): number;
}

const scheduleName = (sourceId: SourceId) => `timer-${sourceId}`;

export function createSourceTimers({
  schedules,
  sendTimers,
  runsQueueArn,
  timersQueueArn,
  now,
}: SourceTimersOptions): SourceTimers {
  /** Also sends the ticks of the first two minutes, because the schedule's first message covers the third. */
  async function startSeconds({ sourceId, ownerId, generation, anchor }: Timer, intervalSeconds: number) {
    const startedAt = now();
    const firstMinute = nextDue({ anchor, intervalSeconds: 60 }, startedAt);
    const minute: TimerMessage = {
      kind: 'minute',
      sourceId,
      ownerId,
      generation,
      intervalSeconds,
      anchor,
      scheduledAt: SCHEDULED_TIME,
    };
    await schedules.put({
      name: scheduleName(sourceId),
      when: { expression: 'rate(1 minute)' },
      startAt: new Date(firstMinute),
      queueArn: timersQueueArn,
      input: messageText(minute),
    });
    const due = dueWithin({ anchor, intervalSeconds }, Math.max(anchor, startedAt), firstMinute + MINUTE_MS);
    await sendTimers(
      due.map((dueAt) => ({
        message: { kind: 'due', sourceId, ownerId, generation, dueAt },
        delaySeconds: delayUntil(dueAt, now()),
      })),
    );
  }

  return {
    async start(started) {
      const { sourceId, ownerId, generation, anchor, timer } = started;
      if ('intervalSeconds' in timer && timer.intervalSeconds % 60 !== 0) {
        await startSeconds(started, timer.intervalSeconds);
        return;
      }
      const tick: ScheduledTick = {
        kind: 'tick',
        sourceId,
        ownerId,
        generation,
        scheduledAt: SCHEDULED_TIME,
      };
      await schedules.put({
        name: scheduleName(sourceId),
        when: whenOf(timer, now()),
        // Without a start date a rate schedule fires at creation.
        ...('intervalSeconds' in timer
          ? { startAt: new Date(nextDue({ anchor, intervalSeconds: timer.intervalSeconds }, now())) }
          : {}),
        queueArn: runsQueueArn,
        groupId: sourceId,
        input: messageText(tick),
      });
    },

    stop: (sourceId) => schedules.delete(scheduleName(sourceId)),
  };
}

function whenOf(timer: Timer['timer'], now: number): TimerSchedule {
  if ('cron' in timer) return cronSchedule(timer.cron, timer.timezone, now);
  const minutes = timer.intervalSeconds / 60;
  return { expression: `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})` };
}
