import type { Schedules } from '../../aws/schedules.ts';
import type { SourceId } from '../../domain/id.ts';
import type { DelayedJob } from '../../domain/run/message.ts';
import { scheduleOfTimer, ticksBefore, type Timer, timerName, type TimerQueues } from './schedule-of-timer.ts';

export type SourceTimers = ReturnType<typeof createSourceTimers>;

export interface SourceTimersOptions extends TimerQueues {
  schedules: Schedules;
  sendJobs(messages: readonly DelayedJob[]): Promise<void>;
  now(): number;
}

export const createSourceTimers = ({ schedules, sendJobs, now, ...queues }: SourceTimersOptions) => ({
  /**
   * Starts ticks one interval after `anchor`; ticks of other generations are dropped. An anchor of the past starts the
   * ticks again that it has had: all schedules that are created again at once keep the seconds in which their sources
   * were activated.
   */
  async start(timer: Timer): Promise<void> {
    const startedAt = now();
    await schedules.put(scheduleOfTimer(timer, queues, startedAt));
    const ticks = ticksBefore(timer, startedAt);
    if (ticks.length > 0) await sendJobs(ticks);
  },

  stop: (sourceId: SourceId): Promise<void> => schedules.delete(timerName(sourceId)),
});
