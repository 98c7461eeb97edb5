import { expect, test } from 'vitest';
import { mappingSpec } from '../../../../../infra/embedded/event-source-mapping/mapping-spec.ts';

const standard = { EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:work', FunctionName: 'worker' };
const fifo = { ...standard, EventSourceArn: `${standard.EventSourceArn}.fifo` };

test('a mapping takes 10 messages a batch, without window and reports, unless it says otherwise', () => {
  expect(mappingSpec(standard)).toEqual({
    queueArn: standard.EventSourceArn,
    functionName: 'worker',
    isFifo: false,
    batchSize: 10,
    batchingWindowSeconds: 0,
    reportsItemFailures: false,
    maximumConcurrency: 1000,
    isEnabled: true,
  });
});

test('every property is read', () => {
  const properties = {
    ...standard,
    BatchSize: 10_000,
    MaximumBatchingWindowInSeconds: 300,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ScalingConfig: { MaximumConcurrency: 1000 },
    Enabled: 'false',
  };
  expect(mappingSpec(properties)).toMatchObject({
    batchSize: 10_000,
    batchingWindowSeconds: 300,
    reportsItemFailures: true,
    maximumConcurrency: 1000,
    isEnabled: false,
  });
});

/** https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html */
test.each([
  ['no batch', { ...standard, BatchSize: 0 }],
  ['a batch of 10,001', { ...standard, BatchSize: 10_001, MaximumBatchingWindowInSeconds: 1 }],
  ['a batch of 11 without window', { ...standard, BatchSize: 11 }],
  ['a batch of 11 from a FIFO queue', { ...fifo, BatchSize: 11, MaximumBatchingWindowInSeconds: 1 }],
  ['a window on a FIFO queue', { ...fifo, MaximumBatchingWindowInSeconds: 1 }],
  ['a window of 301 s', { ...standard, MaximumBatchingWindowInSeconds: 301 }],
  ['a concurrency of 1', { ...standard, ScalingConfig: { MaximumConcurrency: 1 } }],
  ['a concurrency of 1,001', { ...standard, ScalingConfig: { MaximumConcurrency: 1001 } }],
  ['another kind of report', { ...standard, FunctionResponseTypes: ['Other'] }],
  [
    'another kind of source',
    { ...standard, EventSourceArn: 'arn:aws:kinesis:us-east-1:000000000000:stream/s' },
  ],
])('%s is refused, as AWS refuses it', (_title, properties) => {
  expect(() => mappingSpec(properties)).toThrow();
});
