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
  VisibilityTimeout: between(0, 43_200).default(queueDefaults.visibilityTimeout),
  MessageRetentionPeriod: between(60, 1_209_600).default(queueDefaults.messageRetentionPeriod),
  MaximumMessageSize: between(1024, 1_048_576).default(queueDefaults.maximumMessageSize),
  RedrivePolicy: jsonOr(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: between(1, 1000) })).optional(),
});

/** Reads the resolved properties of an `AWS::SQS::Queue`. Its URL and its ARN end with `name`. */
export function queueSpec(name: string, properties: unknown): QueueSpec {
  const parsed = QueueProperties.parse(properties);
  return {
    name,
    fifo: parsed.FifoQueue,
    visibilityTimeout: parsed.VisibilityTimeout,
    messageRetentionPeriod: parsed.MessageRetentionPeriod,
    maximumMessageSize: parsed.MaximumMessageSize,
    contentBasedDeduplication: parsed.ContentBasedDeduplication,
    deduplicationScope: parsed.DeduplicationScope,
    fifoThroughputLimit: parsed.FifoThroughputLimit,
    ...(parsed.RedrivePolicy && { redrivePolicy: parsed.RedrivePolicy }),
  };
}
