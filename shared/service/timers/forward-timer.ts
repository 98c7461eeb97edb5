import type { ScheduledTick, TimerMessage } from '../../domain/run/message.ts';
import { delayUntil, dueWithin, minuteOf } from './due-times.ts';

interface TimerForwarderOptions {
  sendTicks(ticks: readonly ScheduledTick[]): Promise<void>;
  sendTimers(messages: readonly { message: TimerMessage; delaySeconds: number }[]): Promise<void>;
  now(): number;
}

/**
 * Executes timers whose interval is not a whole number of minutes. A message `minute` sends a delayed message `due` for every tick of the
 * next minute; a message `due` sends the tick.
 */
export const createTimerForwarder =
  ({ sendTicks, sendTimers, now }: TimerForwarderOptions) =>
  async (message: TimerMessage): Promise<void> => {
    const { sourceId, ownerId, generation } = message;
    if (message.kind === 'due') {
      const scheduledAt = new Date(message.dueAt).toISOString();
      await sendTicks([{ kind: 'tick', sourceId, ownerId, generation, scheduledAt }]);
      return;
    }
    const { from, to } = minuteOf(message.anchor, Date.parse(message.scheduledAt));
    await sendTimers(
      dueWithin(message, from, to).map((dueAt) => ({
        message: { kind: 'due', sourceId, ownerId, generation, dueAt },
        delaySeconds: delayUntil(dueAt, now()),
      })),
    );
  };
