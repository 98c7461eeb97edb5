import type { OAuthFunction } from '../../aws/oauth/oauth-function.ts';
import type { DelayedTimer, ScheduledTick, TimerMessage } from '../../domain/run/message.ts';
import type { MetricsJob } from '../metrics/metrics-job.ts';
import { delayUntil, dueWithin, minuteOf } from './due-times.ts';

interface TimerForwarderOptions {
  sendTicks(ticks: readonly ScheduledTick[]): Promise<void>;
  sendTimers(messages: readonly DelayedTimer[]): Promise<void>;
  oauthFunction: Pick<OAuthFunction, 'drop' | 'renewIdle'>;
  metricsJob: MetricsJob;
  now(): number;
}

/**
 * Executes timers whose interval is not a whole number of minutes. A message `minute` sends a delayed message `due` for every tick of the
 * next minute; a message `due` sends the tick. A message `flight` has the tokens of a sign-in dropped that nobody confirmed, and
 * `idle-accounts` those of accounts renewed that nothing used, some per message. The messages `metrics` and `metrics-of-user` have metrics
 * added up, also some per message.
 */
export const createTimerForwarder =
  ({ sendTicks, sendTimers, oauthFunction, metricsJob, now }: TimerForwarderOptions) =>
  async (message: TimerMessage): Promise<void> => {
    if (message.kind === 'flight') {
      await oauthFunction.drop(message);
      return;
    }
    if (message.kind === 'idle-accounts') {
      const { next } = await oauthFunction.renewIdle({ after: message.after });
      if (next !== undefined)
        await sendTimers([{ message: { kind: 'idle-accounts', after: next }, delaySeconds: 0 }]);
      return;
    }
    if (message.kind === 'metrics') return sendTimers(await metricsJob.ofUsers(message));
    if (message.kind === 'metrics-of-user') return sendTimers(await metricsJob.ofUser(message));
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
