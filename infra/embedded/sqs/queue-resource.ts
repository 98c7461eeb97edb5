import * as z from 'zod';
import { queueDefaults, type QueueSpec } from './queue-spec.ts';

/** Resolved templates have numbers and booleans as such or as text. */
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);
const between = (from: number, to: number) => z.coerce.number().int().min(from).max(to);

/** A policy may be JSON text. */
const jsonOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? (JSON.parse(value) as unknown) : value), schema);

const QueueProperties = z.object({
  FifoQueue: flag.default(queueDefaults.fifo),
  ContentBasedDeduplication: flag.default(queueDefaults.contentBasedDeduplication),
  DeduplicationScope: z.enum(['queue', 'messageGroup']).default(queueDefaults.deduplicationScope),
  FifoThroughputLimit: z.enum(['perQueue', 'perMessageGroupId']).default(queueDefaults.fifoThroughputLimit),
  DelaySeconds: between(0, 900).default(queueDefaults.delaySeconds),
  VisibilityTimeout: between(0, 43_200).default(queueDefaults.visibilityTimeout),
  MessageRetentionPeriod: between(60, 1_209_600).default(queueDefaults.messageRetentionPeriod),
  MaximumMessageSize: between(1024, 1_048_576).default(queueDefaults.maximumMessageSize),
  ReceiveMessageWaitTimeSeconds: between(0, 20).default(queueDefaults.receiveWaitTime),
  RedrivePolicy: jsonOr(
    z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: between(1, 1000) }),
  ).optional(),
  RedriveAllowPolicy: jsonOr(
    z.object({
      redrivePermission: z.enum(['allowAll', 'denyAll', 'byQueue']).default('allowAll'),
      sourceQueueArns: z.array(z.string()).default([]),
    }),
  ).optional(),
});

/** Reads the resolved properties of an `AWS::SQS::Queue`. Its URL and its ARN end with `name`. */
export function queueSpec(name: string, properties: unknown): QueueSpec {
  const given = QueueProperties.parse(properties);
  return {
    name,
    fifo: given.FifoQueue,
    visibilityTimeout: given.VisibilityTimeout,
    messageRetentionPeriod: given.MessageRetentionPeriod,
    delaySeconds: given.DelaySeconds,
    receiveWaitTime: given.ReceiveMessageWaitTimeSeconds,
    maximumMessageSize: given.MaximumMessageSize,
    contentBasedDeduplication: given.ContentBasedDeduplication,
    deduplicationScope: given.DeduplicationScope,
    fifoThroughputLimit: given.FifoThroughputLimit,
    ...(given.RedrivePolicy && { redrivePolicy: given.RedrivePolicy }),
    ...(given.RedriveAllowPolicy && { redriveAllowPolicy: given.RedriveAllowPolicy }),
  };
}
