import { expect, test } from 'vitest';
import { mappingSpec } from '../../../../../infra/embedded/event-source-mapping/mapping-spec.ts';

const standard = { EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:work', FunctionName: 'worker' };

test('a mapping takes 10 messages a batch, without reports, unless it says otherwise', () => {
  expect(mappingSpec(standard)).toEqual({
    queueArn: standard.EventSourceArn,
    functionName: 'worker',
    batchSize: 10,
    reportsItemFailures: false,
    maximumConcurrency: 1000,
  });
});

test('every property is read', () => {
  const properties = {
    ...standard,
    BatchSize: 5,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 1000 },
  };
  expect(mappingSpec(properties)).toMatchObject({
    batchSize: 5,
    reportsItemFailures: true,
    maximumConcurrency: 1000,
  });
});

/** https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html */
test.each([
  ['no batch', { ...standard, BatchSize: 0 }],
  ['a batch of 11', { ...standard, BatchSize: 11 }],
  ['a concurrency of 1', { ...standard, ScalingConfig: { MaximumConcurrency: 1 } }],
  ['a concurrency of 1,001', { ...standard, ScalingConfig: { MaximumConcurrency: 1001 } }],
  ['another kind of report', { ...standard, FunctionResponseTypes: ['Other'] }],
  ['another kind of source', { ...standard, EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s' }],
])('%s is refused, as AWS refuses it', (_title, properties) => {
  expect(() => mappingSpec(properties)).toThrow();
});
