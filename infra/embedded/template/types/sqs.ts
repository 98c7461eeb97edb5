import { account, arn, named, region, type ResourceType } from '../resource-type.ts';

export const queue: ResourceType = {
  holdsData: true,
  properties: {
    FifoQueue: 'interpreted',
    ContentBasedDeduplication: 'interpreted',
    DeduplicationScope: 'interpreted',
    FifoThroughputLimit: 'interpreted',
    VisibilityTimeout: 'interpreted',
    MessageRetentionPeriod: 'interpreted',
    MaximumMessageSize: 'interpreted',
    'RedrivePolicy.deadLetterTargetArn': 'interpreted',
    'RedrivePolicy.maxReceiveCount': 'interpreted',
    SqsManagedSseEnabled: 'without effect here, because the disk is encrypted by its owner',
    Tags: 'without effect here, because nothing reads them',
  },
  identify({ logicalId, text }) {
    const name = text('FifoQueue') === 'true' ? `${logicalId}.fifo` : logicalId;
    const url = `https://sqs.${region}.amazonaws.com/${account}/${name}`;
    return { ref: url, attributes: { Arn: arn('sqs', name), QueueName: name } };
  },
};

export const queuePolicy: ResourceType = {
  properties: { PolicyDocument: 'interpreted', Queues: 'interpreted' },
  identify: named,
};
