import { AwsError } from '../call.ts';
import type { Queue } from './queue/queue.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html */
export function checkRedrive(queues: readonly Queue[]): void {
  for (const source of queues) {
    const target = queues.find(({ arn }) => arn === source.spec.redrivePolicy?.deadLetterTargetArn);
    if (!target) continue;
    if (source.spec.fifo !== target.spec.fifo) {
      throw new AwsError(
        'InvalidParameterValue',
        `The dead-letter queue of ${source.spec.name} must have the same type, FIFO or standard.`,
      );
    }
  }
}
