import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { createQueueDepth } from '../../../../shared/aws/queue-depth.ts';

const sqs = mockClient(SQSClient);
const client = new SQSClient({ region: 'us-east-1' });
let clock: number;
let failures: unknown[];
beforeEach(() => {
  sqs.reset();
  clock = 0;
  failures = [];
});
afterAll(() => sqs.restore());

const createDepth = () =>
  createQueueDepth({
    sqs: () => client,
    queueUrl: 'https://queue',
    onFailed: (error) => failures.push(error),
    now: () => clock,
  });
const asked = () => sqs.commandCalls(GetQueueAttributesCommand).length;
const holds = (visible: string, inFlight: string) =>
  sqs.on(GetQueueAttributesCommand).resolves({
    Attributes: {
      ApproximateNumberOfMessages: visible,
      ApproximateNumberOfMessagesNotVisible: inFlight,
    },
  });

test('the depth of a queue has its visible messages and those in flight, and is read once in 10 s', async () => {
  const depth = createDepth();
  holds('90000', '15000');
  expect([await depth(), await depth()]).toEqual([105_000, 105_000]);
  expect(asked()).toBe(1);
  holds('3', '0');
  clock += 9_999;
  expect(await depth()).toBe(105_000);
  clock += 1;
  expect(await depth()).toBe(3);
  expect(asked()).toBe(2);
});

test('requests at the same time share one read', async () => {
  const depth = createDepth();
  holds('1', '1');
  expect(await Promise.all([depth(), depth(), depth()])).toEqual([2, 2, 2]);
  expect(asked()).toBe(1);
});

test('a queue that cannot be asked counts as empty, and is reported once a minute', async () => {
  const depth = createDepth();
  sqs.on(GetQueueAttributesCommand).rejects(new Error('access denied'));
  for (; clock < 120_000; clock += 5_000) expect(await depth()).toBe(0);
  expect(asked()).toBe(12);
  expect(failures).toEqual([
    expect.objectContaining({ message: 'access denied' }),
    expect.objectContaining({ message: 'access denied' }),
  ]);
  holds('100001', '0');
  expect(await depth()).toBe(100_001);
});
