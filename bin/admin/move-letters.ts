import { ListMessageMoveTasksCommand, type SQSClient, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { setTimeout as pause } from 'node:timers/promises';
import type { QueueAddresses } from '../../shared/aws/letters/dead-letters.ts';
import { refusedFailure } from '../tributary/failures.ts';
import { queueArn } from './queue-arn.ts';
import type { QueueName } from './queue-names.ts';

const ASKED_EVERY_MS = 1_000;

/** Has SQS move all dead letters of a queue, also when the command is interrupted. Returns how many were moved. */
export const createMoveLetters =
  (
    sqs: () => SQSClient,
    { queues, schedulesRoleArn }: { queues: Readonly<Record<QueueName, QueueAddresses>>; schedulesRoleArn: string },
  ) =>
  async (name: QueueName): Promise<number> => {
    const { url, deadLettersUrl } = queues[name];
    const SourceArn = queueArn(deadLettersUrl, schedulesRoleArn);
    const DestinationArn = queueArn(url, schedulesRoleArn);
    await sqs().send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
    for (;;) {
      const { Results: [task] = [] } = await sqs().send(new ListMessageMoveTasksCommand({ SourceArn }));
      if (task?.Status === 'FAILED')
        throw refusedFailure(`SQS could not move the dead letters of ${name}: ${task.FailureReason}`);
      if (task?.Status !== 'RUNNING') return task?.ApproximateNumberOfMessagesMoved ?? 0;
      await pause(ASKED_EVERY_MS);
    }
  };
