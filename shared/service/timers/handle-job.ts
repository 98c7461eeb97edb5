import type { OAuthFunction } from '../../aws/oauth/oauth-function.ts';
import type { DelayedJob, ScheduledTick, JobMessage } from '../../domain/run/message.ts';
import type { MetricsJob } from '../metrics/metrics-job.ts';
import { delayUntil, dueWithin, minuteOf } from './due-times.ts';

interface JobHandlerOptions {
  sendTicks(ticks: readonly ScheduledTick[]): Promise<void>;
  sendJobs(messages: readonly DelayedJob[]): Promise<void>;
  oauthFunction: Pick<OAuthFunction, 'drop' | 'renewIdle'>;
  metricsJob: MetricsJob;
  now(): number;
}

/**
 * Executes timers whose interval is not a whole number of minutes. A message `minute` sends a delayed message `due` for
 * every tick of the next minute; a message `due` sends the tick. A message `flight` drops the tokens of a sign-in that
 * was not confirmed, and `idle-accounts` renews accounts that were not used, some per message. The messages `metrics`
 * and `metrics-of-user` have metrics added up, also some per message.
 */
export const createJobHandler =
  ({ sendTicks, sendJobs, oauthFunction, metricsJob, now }: JobHandlerOptions) =>
  async (message: JobMessage): Promise<void> => {
    if (message.kind === 'flight') {
      await oauthFunction.drop(message);
      return;
    }
    if (message.kind === 'idle-accounts') {
      const { next } = await oauthFunction.renewIdle({ after: message.after });
      if (next !== undefined) await sendJobs([{ message: { kind: 'idle-accounts', after: next }, delaySeconds: 0 }]);
      return;
    }
    if (message.kind === 'metrics') return sendJobs(await metricsJob.ofUsers(message));
    if (message.kind === 'metrics-of-user') return sendJobs(await metricsJob.ofUser(message));
    const { sourceId, ownerId, generation } = message;
    if (message.kind === 'due') {
      const scheduledAt = new Date(message.dueAt).toISOString();
      await sendTicks([{ kind: 'tick', sourceId, ownerId, generation, scheduledAt }]);
      return;
    }
    const { from, to } = minuteOf(message.anchor, Date.parse(message.scheduledAt));
    await sendJobs(
      dueWithin(message, from, to).map((dueAt) => ({
        message: { kind: 'due', sourceId, ownerId, generation, dueAt },
        delaySeconds: delayUntil(dueAt, now()),
      })),
    );
  };
