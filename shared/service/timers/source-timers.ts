import { messageText } from '../../aws/queues.ts';
import { SCHEDULED_TIME, type Schedules } from '../../aws/schedules.ts';
import { readCron } from '../../domain/cron.ts';
import type { SourceId, UserId } from '../../domain/id.ts';
import type { ScheduledTick, TimerMessage } from '../../domain/message.ts';
import type { SourceTraits } from '../../domain/source.ts';

export interface SourceTimers {
  /** Ticks of this generation from one interval after `anchor` on; those of another generation are void. */
  start(timer: Timer): Promise<void>;
  stop(sourceId: SourceId): Promise<void>;
}

export interface Timer {
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

const MINUTE_MS = 60_000;

const scheduleName = (sourceId: SourceId) => `timer-${sourceId}`;

export function createSourceTimers({
  schedules,
  sendTimers,
  runsQueueArn,
  timersQueueArn,
  now,
}: SourceTimersOptions): SourceTimers {
  /** What falls into the first two minutes comes before the schedule has anything to say. */
  async function startSeconds({ sourceId, ownerId, generation, anchor }: Timer, intervalSeconds: number) {
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
      startAt: new Date(anchor + MINUTE_MS),
      queueArn: timersQueueArn,
      input: messageText(minute),
    });
    const due = dueWithin({ anchor, intervalSeconds }, anchor, anchor + 2 * MINUTE_MS);
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
        when: whenOf(timer),
        // A rate would fire at once, too.
        ...('intervalSeconds' in timer ? { startAt: new Date(anchor + timer.intervalSeconds * 1_000) } : {}),
        queueArn: runsQueueArn,
        groupId: sourceId,
        input: messageText(tick),
      });
    },

    stop: (sourceId) => schedules.delete(scheduleName(sourceId)),
  };
}

function whenOf(timer: Timer['timer']): { expression: string; timezone?: string } {
  if ('intervalSeconds' in timer) {
    const minutes = timer.intervalSeconds / 60;
    return { expression: `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})` };
  }
  const reading = readCron(timer.cron);
  if (!reading.ok) throw new Error(`A stored cron ${reading.problem}`);
  return {
    expression: reading.expression,
    ...(timer.timezone === undefined ? {} : { timezone: timer.timezone }),
  };
}

/** The ticks after `from`, up to but without `to`; epoch ms. */
export function dueWithin(
  { anchor, intervalSeconds }: { anchor: number; intervalSeconds: number },
  from: number,
  to: number,
): number[] {
  const interval = intervalSeconds * 1_000;
  const due: number[] = [];
  for (let n = Math.max(Math.ceil((from - anchor) / interval), 1); anchor + n * interval < to; n += 1) {
    due.push(anchor + n * interval);
  }
  return due;
}

/** A queue delays by at most a quarter of an hour. */
const LONGEST_DELAY_SECONDS = 900;

export const delayUntil = (at: number, now: number): number =>
  Math.min(Math.max(Math.ceil((at - now) / 1_000), 0), LONGEST_DELAY_SECONDS);

/**
 * The minute that a schedule's message answers for: the one after its own, so that it may be a minute late. Minutes are counted from the
 * anchor, hence none is left out or answered twice when the nominal time is rounded.
 */
export function minuteAnsweredFor(anchor: number, scheduledAt: number): { from: number; to: number } {
  const index = Math.round((scheduledAt - anchor) / MINUTE_MS);
  return { from: anchor + (index + 1) * MINUTE_MS, to: anchor + (index + 2) * MINUTE_MS };
}
