import * as z from 'zod';

const integer = (from: number, to: number) => z.coerce.number().int().min(from).max(to);
const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]);

/** https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html */
const MappingProperties = z.object({
  EventSourceArn: z.string().regex(/^arn:aws:sqs:/, 'only queues are event sources here'),
  FunctionName: z.string().min(1),
  BatchSize: integer(1, 10_000).default(10),
  MaximumBatchingWindowInSeconds: integer(0, 300).default(0),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: integer(2, 1000).optional() }).default({}),
  Enabled: flag.default(true),
});

/** AWS's maximum concurrency for a mapping without one. */
const CONCURRENCY_WITHOUT_MAXIMUM = 1000;

export interface MappingSpec {
  readonly queueArn: string;
  readonly functionName: string;
  readonly isFifo: boolean;
  readonly batchSize: number;
  readonly batchingWindowSeconds: number;
  readonly reportsItemFailures: boolean;
  readonly maximumConcurrency: number;
  readonly isEnabled: boolean;
}

export class MappingError extends Error {}

/** Reads the resolved properties of an `AWS::Lambda::EventSourceMapping`, and refuses what AWS refuses to create. */
export function mappingSpec(properties: unknown): MappingSpec {
  const mapping = MappingProperties.parse(properties);
  const isFifo = mapping.EventSourceArn.endsWith('.fifo');
  const window = mapping.MaximumBatchingWindowInSeconds;
  if (isFifo && mapping.BatchSize > 10)
    throw new MappingError('A mapping of a FIFO queue takes at most 10 messages a batch.');
  if (isFifo && window > 0) throw new MappingError('A mapping of a FIFO queue has no batching window.');
  if (mapping.BatchSize > 10 && window === 0) {
    throw new MappingError(
      'A mapping with more than 10 messages a batch needs a batching window of at least 1 s.',
    );
  }
  return {
    queueArn: mapping.EventSourceArn,
    functionName: mapping.FunctionName,
    isFifo,
    batchSize: mapping.BatchSize,
    batchingWindowSeconds: window,
    reportsItemFailures: mapping.FunctionResponseTypes.length > 0,
    maximumConcurrency: mapping.ScalingConfig.MaximumConcurrency ?? CONCURRENCY_WITHOUT_MAXIMUM,
    isEnabled: mapping.Enabled,
  };
}
