/** One queue as its `AWS::SQS::Queue` resource describes it. Durations are seconds, as on AWS. */
export interface QueueSpec {
  readonly name: string;
  readonly fifo: boolean;
  /** 0–43,200 */
  readonly visibilityTimeout: number;
  /** 60–1,209,600 */
  readonly messageRetentionPeriod: number;
  /** Bytes, 1,024–1,048,576 */
  readonly maximumMessageSize: number;
  /** Sum of the sizes of its messages, beyond which the oldest ones go. AWS has no such limit. */
  readonly keptBytes?: number;
  readonly redrivePolicy?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number };
  readonly contentBasedDeduplication: boolean;
  readonly deduplicationScope: 'queue' | 'messageGroup';
  readonly fifoThroughputLimit: 'perQueue' | 'perMessageGroupId';
}

/**
 * AWS's own defaults. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
 */
export const queueDefaults = {
  fifo: false,
  visibilityTimeout: 30,
  messageRetentionPeriod: 345_600,
  maximumMessageSize: 1_048_576,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue',
  fifoThroughputLimit: 'perQueue',
} as const satisfies Omit<QueueSpec, 'name' | 'redrivePolicy'>;
