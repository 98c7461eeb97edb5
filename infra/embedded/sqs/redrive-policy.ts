import { AwsError } from '../call.ts';
import type { Queue } from './queue.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html */
export function checkRedrive(queues: readonly Queue[]): void {
  for (const source of queues) {
    const target = queues.find(({ arn }) => arn === source.spec.redrivePolicy?.deadLetterTargetArn);
    if (!target) continue;
    const { redrivePermission = 'allowAll', sourceQueueArns = [] } = target.spec.redriveAllowPolicy ?? {};
    const isAllowed =
      redrivePermission === 'allowAll' ||
      (redrivePermission === 'byQueue' && sourceQueueArns.includes(source.arn));
    if (!isAllowed) {
      throw new AwsError(
        'InvalidParameterValue',
        `${target.spec.name} does not allow ${source.spec.name} to use it as its dead-letter queue.`,
      );
    }
    if (source.spec.fifo !== target.spec.fifo) {
      throw new AwsError(
        'InvalidParameterValue',
        `The dead-letter queue of ${source.spec.name} must have the same type, FIFO or standard.`,
      );
    }
  }
}
