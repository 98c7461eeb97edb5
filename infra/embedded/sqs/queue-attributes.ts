import { AwsError } from '../call.ts';
import { optionalTexts } from './input.ts';
import { type Operation } from './operation.ts';
import { type Queue } from './queue.ts';

const PURGE_EVERY_MS = 60_000;

export const getQueueAttributes: Operation = (queue, input, context) => {
  context.count(0);
  const names = optionalTexts(input, 'AttributeNames');
  const all = attributesOf(queue);
  for (const name of names) {
    if (name !== 'All' && !known.has(name))
      throw new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`);
  }
  const chosen = Object.entries(all).filter(
    ([name, value]) => value !== undefined && (names.includes('All') || names.includes(name)),
  );
  return Promise.resolve(chosen.length > 0 ? { Attributes: Object.fromEntries(chosen) } : {});
};

export const getQueueUrl: Operation = (queue, _input, context) => {
  context.count(0);
  return Promise.resolve({ QueueUrl: queue.url });
};

export const purgeQueue: Operation = async (queue, _input, context) => {
  context.count(0);
  const now = context.clock.now();
  if (now - queue.purgedAt < PURGE_EVERY_MS) {
    const message = `Only one PurgeQueue operation on ${queue.spec.name} is allowed every 60 seconds.`;
    throw new AwsError('PurgeQueueInProgress', message, { statusCode: 403 });
  }
  queue.purgedAt = now;
  queue.purge();
  await context.disk.commit();
  return {};
};

function attributesOf({ arn, counts, createdAt, spec }: Queue): Record<string, string | undefined> {
  const created = String(Math.floor(createdAt / 1000));
  const fifo = (value: string) => (spec.fifo ? value : undefined);
  return {
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.inFlight),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    CreatedTimestamp: created,
    LastModifiedTimestamp: created,
    DelaySeconds: String(spec.delaySeconds),
    MaximumMessageSize: String(spec.maximumMessageSize),
    MessageRetentionPeriod: String(spec.messageRetentionPeriod),
    QueueArn: arn,
    ReceiveMessageWaitTimeSeconds: String(spec.receiveWaitTime),
    VisibilityTimeout: String(spec.visibilityTimeout),
    RedrivePolicy: spec.redrivePolicy && JSON.stringify(spec.redrivePolicy),
    RedriveAllowPolicy: spec.redriveAllowPolicy && JSON.stringify(spec.redriveAllowPolicy),
    SqsManagedSseEnabled: 'true',
    FifoQueue: fifo('true'),
    ContentBasedDeduplication: fifo(String(spec.contentBasedDeduplication)),
    DeduplicationScope: fifo(spec.deduplicationScope),
    FifoThroughputLimit: fifo(spec.fifoThroughputLimit),
  };
}

const known = new Set([
  'ApproximateNumberOfMessages',
  'ApproximateNumberOfMessagesNotVisible',
  'ApproximateNumberOfMessagesDelayed',
  'CreatedTimestamp',
  'LastModifiedTimestamp',
  'DelaySeconds',
  'MaximumMessageSize',
  'MessageRetentionPeriod',
  'QueueArn',
  'ReceiveMessageWaitTimeSeconds',
  'VisibilityTimeout',
  'Policy',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'SqsManagedSseEnabled',
  'KmsMasterKeyId',
  'KmsDataKeyReusePeriodSeconds',
  'FifoQueue',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
]);
