import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import {
  chainOf,
  chainOfRecords,
  ChainTracker,
  headerOf,
} from '../../../../../infra/embedded/lambda/chain.ts';
import { startSmall } from '../cloud/small-stack.ts';
import { threadProgram } from '../cloud/thread-program.ts';

/** Sends each message on to the queue that it came from, with one more in it. */
const again = `
const { SQSClient, SendMessageCommand } = require('@aws-sdk/client-sqs');
const client = new SQSClient({ region: 'us-east-1' });
client.middlewareStack.use(process[Symbol.for('tributary.aws.plugin')]);
exports.handler = async ({ Records: [{ body }] }) => {
  console.log('hop ' + body);
  if (Number(body) < 40) await client.send(new SendMessageCommand({ QueueUrl: process.env.QUEUE_URL, MessageBody: String(Number(body) + 1) }));
}`.replaceAll(
  "require('@aws-sdk/client-sqs')",
  `require(${JSON.stringify(createRequire(import.meta.url).resolve('@aws-sdk/client-sqs'))})`,
);

async function hops(
  properties: object,
  isOver: (lines: string[]) => boolean,
  thread?: string,
): Promise<number> {
  const lines: string[] = [];
  const queue = { 'Fn::GetAtt': ['Work', 'Arn'] };
  const action = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:SendMessage'];
  const Environment = { Variables: { QUEUE_URL: { Ref: 'Work' } } };
  const cloud = await startSmall(
    {
      thread,
      functions: {
        Mine: {
          code: again,
          properties: { Timeout: 10, Environment, ...properties },
          statements: [{ Effect: 'Allow', Action: action, Resource: queue }],
        },
      },
      resources: {
        Work: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
        Mapping: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { EventSourceArn: queue, FunctionName: { Ref: 'Mine' }, BatchSize: 1 },
        },
      },
    },
    { logs: ({ text }) => lines.push(text) },
  );
  const input = { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Work', MessageBody: '1' };
  await cloud.call({
    role: 'arn:aws:iam::000000000000:root',
    service: 'SQS',
    operation: 'SendMessage',
    input,
  });
  await expect.poll(() => isOver(lines), { timeout: 10_000 }).toBe(true);
  return lines.filter((text) => text.startsWith('hop ')).length;
}

const program = threadProgram();

describe.each([
  ['with the services', () => undefined],
  ['in a thread beside them', program],
])('a function that sends itself messages, %s,', (_where, thread) => {
  test('is stopped at 16 times round', async () => {
    const isStopped = (lines: string[]) => lines.some((text) => text.includes('recursive loop'));
    expect(await hops({}, isStopped, thread())).toBe(16);
  });

  test('goes on when it is allowed to recurse', async () => {
    expect(await hops({ RecursiveLoop: 'Allow' }, (lines) => lines.includes('hop 40'), thread())).toBe(40);
  });
});

test('a chain travels in the trace header of messages and comes back as it was', () => {
  const chain = new Map([
    ['0a0b0c0d', 3],
    ['11223344', 16],
  ]);
  expect(chainOf(headerOf(chain))).toEqual(chain);
});

test('a batch is part of its longest chain', () => {
  const record = (count: number) => ({
    attributes: { AWSTraceHeader: headerOf(new Map([['0a0b0c0d', count]])) },
  });
  expect(chainOfRecords({ Records: [record(2), { attributes: {} }, record(5)] })).toEqual(
    new Map([['0a0b0c0d', 5]]),
  );
});

test('invocations at the same time are told apart, and what is part of no chain stays so', async () => {
  const spec = { arn: 'arn:aws:lambda:us-east-1:000000000000:function:Mine', mayRecurse: false };
  const tracker = new ChainTracker(spec, { canInvokeOthers: true });
  const send = { role: 'r', service: 'SQS', operation: 'SendMessage', input: { MessageBody: 'x' } } as const;
  const sent = () => {
    const attributes = tracker.prepare(send).input as {
      MessageSystemAttributes?: { AWSTraceHeader: { StringValue: string } };
    };
    return chainOf(attributes.MessageSystemAttributes?.AWSTraceHeader.StringValue ?? '');
  };
  const [own = ''] = tracker.run(new Map(), sent).keys();
  const later = () => new Promise(setImmediate).then(() => sent().get(own));
  const [first, second] = await Promise.all([
    tracker.run(new Map(), later),
    tracker.run(new Map([[own, 7]]), later),
  ]);
  expect([first, second]).toEqual([1, 8]);
  expect(tracker.prepare(send)).toBe(send);
});
