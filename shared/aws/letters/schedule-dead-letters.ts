import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { createDeadLetters, type DeadLetter, type DeadLetters, messageOf } from './dead-letters.ts';
import { sendAll } from '../queues.ts';
import { SCHEDULED_TIME } from '../schedules.ts';

/** The queue that a schedule's message was for, and its message group there. */
export interface ScheduleTarget {
  url: string;
  groupId?: string;
}

interface ScheduleDeadLettersOptions {
  deadLettersUrl: string;
  /** Throws for a message that cannot be read. */
  targetOf(letter: Pick<DeadLetter, 'id' | 'body'>): ScheduleTarget;
}

/** Messages that EventBridge Scheduler could not send. A redrive sends each to the queue that it was for. */
export function createScheduleDeadLetters(
  sqs: () => SQSClient,
  { deadLettersUrl, targetOf }: ScheduleDeadLettersOptions,
): DeadLetters {
  const letters = createDeadLetters(sqs, { url: deadLettersUrl, deadLettersUrl });
  return {
    ...letters,
    receive: async () => (await letters.receive()).map(withMessage),
    async redrive(chosen) {
      const sent = chosen.map((letter) => ({ letter, target: targetOf(letter) }));
      for (const url of new Set(sent.map(({ target }) => target.url)))
        await sendAll(
          { sqs, queueUrl: url },
          sent
            .filter(({ target }) => target.url === url)
            .map(({ letter: { id, body }, target: { groupId } }) =>
              messageOf({ id, body, groupId, isFifo: groupId !== undefined }),
            ),
        );
      await letters.drop(chosen);
    },
  };
}

const Request = z.object({ MessageBody: z.string() });

/**
 * AWS documents neither whether the body is the message or the request to SQS, nor whether the time of the schedule is
 * filled in.
 */
function withMessage(letter: DeadLetter): DeadLetter {
  const time = letter.attributes.get('SCHEDULED_TIME');
  const body = messageIn(letter.body);
  return { ...letter, body: time === undefined ? body : body.replaceAll(SCHEDULED_TIME, time) };
}

function messageIn(body: string): string {
  try {
    const { data } = Request.safeParse(JSON.parse(body));
    return data?.MessageBody ?? body;
  } catch {
    return body;
  }
}
