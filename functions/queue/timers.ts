import { sqsClient } from '../../shared/aws/clients.ts';
import { createTickSender, createTimerSender } from '../../shared/aws/queues.ts';
import { delayUntil, dueWithin, minuteAnsweredFor } from '../../shared/service/timers/source-timers.ts';
import { TimerMessage } from '../../shared/domain/message.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { createLog } from '../../shared/lambda/log.ts';
import { eachMessage } from '../../shared/lambda/queue.ts';

const env = environment('RUNS_QUEUE_URL', 'TIMERS_QUEUE_URL', 'LOG_LEVEL');
const sqs = sqsClient();
const sendTicks = createTickSender({ sqs, queueUrl: env.RUNS_QUEUE_URL });
const sendTimers = createTimerSender({ sqs, queueUrl: env.TIMERS_QUEUE_URL });

/** Timers whose interval is no whole number of minutes: a minute's message makes the ticks of the next minute, each of which comes when due. */
export const handler = eachMessage({
  parse: (body) => TimerMessage.parse(JSON.parse(body)),
  log: createLog(env.LOG_LEVEL, 'timers'),
  async handle(message) {
    const { sourceId, ownerId, generation } = message;
    if (message.kind === 'due') {
      const scheduledAt = new Date(message.dueAt).toISOString();
      await sendTicks([{ kind: 'tick', sourceId, ownerId, generation, scheduledAt }]);
      return;
    }
    const { from, to } = minuteAnsweredFor(message.anchor, Date.parse(message.scheduledAt));
    await sendTimers(
      dueWithin(message, from, to).map((dueAt) => ({
        message: { kind: 'due', sourceId, ownerId, generation, dueAt },
        delaySeconds: delayUntil(dueAt, Date.now()),
      })),
    );
  },
});
