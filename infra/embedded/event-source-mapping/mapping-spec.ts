import * as z from 'zod';

const integer = (from: number, to: number) => z.coerce.number().int().min(from).max(to);

/**
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html
 */
const MappingProperties = z.object({
  EventSourceArn: z.string().regex(/^arn:aws:sqs:/, 'only queues are event sources here'),
  FunctionName: z.string().min(1),
  /** AWS takes more than 10 only with a batching window. */
  BatchSize: integer(1, 10).default(10),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: integer(2, 1000).optional() }).default({}),
});

/** AWS's maximum concurrency for a mapping without one. */
const CONCURRENCY_WITHOUT_MAXIMUM = 1000;

export interface MappingSpec {
  readonly queueArn: string;
  readonly functionName: string;
  readonly batchSize: number;
  readonly reportsItemFailures: boolean;
  readonly maximumConcurrency: number;
}

export class MappingError extends Error {}

/** Reads the resolved properties of an `AWS::Lambda::EventSourceMapping`. */
export function mappingSpec(properties: unknown): MappingSpec {
  const mapping = MappingProperties.parse(properties);
  return {
    queueArn: mapping.EventSourceArn,
    functionName: mapping.FunctionName,
    batchSize: mapping.BatchSize,
    reportsItemFailures: mapping.FunctionResponseTypes.length > 0,
    maximumConcurrency: mapping.ScalingConfig.MaximumConcurrency ?? CONCURRENCY_WITHOUT_MAXIMUM,
  };
}
