import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import type { Cloud } from '../../../../../infra/embedded/cloud.ts';
import { type CallFault, type Faults, type FaultyCall, noFaults } from '../../../../../infra/embedded/faults.ts';
import { OPERATOR } from '../../../../../infra/embedded/iam/authorizer.ts';
import { startSmall } from '../cloud/small-stack.ts';

/** Counts its invocations, then sends a message and answers with the name of the error, if there is one. */
const SENDING = `
const { SQSClient, SendMessageCommand } = require(${JSON.stringify(
  createRequire(import.meta.url).resolve('@aws-sdk/client-sqs'),
)});
const client = new SQSClient({ region: 'us-east-1' });
client.middlewareStack.use(process[Symbol.for('tributary.aws.plugin')]);
let invocations = 0;
exports.handler = async () => {
  invocations += 1;
  const input = { QueueUrl: process.env.QUEUE_URL, MessageBody: 'hello' };
  const error = await client.send(new SendMessageCommand(input)).then(() => null, ({ name }) => name);
  return { invocations, error };
};`;

const queue = { 'Fn::GetAtt': ['Work', 'Arn'] };
const received = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const Work = { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } };

/** The first call of an operation has the fault. */
function once(operation: string, fault: CallFault): Faults & { calls: FaultyCall[] } {
  const calls: FaultyCall[] = [];
  return {
    ...noFaults,
    calls,
    ofCall(call) {
      calls.push(call);
      return calls.filter((each) => each.operation === operation).length === 1 && call.operation === operation
        ? fault
        : undefined;
    },
  };
}

const sending = (faults: Faults) =>
  startSmall(
    {
      functions: {
        Mine: {
          code: SENDING,
          properties: { Environment: { Variables: { QUEUE_URL: { Ref: 'Work' } } } },
          statements: [{ Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queue }],
        },
      },
      resources: { Work },
    },
    { faults },
  );

async function invoke(cloud: Cloud): Promise<unknown> {
  const input = { FunctionName: 'Mine', Payload: '{}' };
  const { Payload } = await cloud.call({ role: OPERATOR, service: 'Lambda', operation: 'Invoke', input });
  return JSON.parse(Buffer.from(Payload as Uint8Array).toString());
}

const messagesIn = ({ services }: Cloud) => services.sqs.countsOf('arn:aws:sqs:us-east-1:000000000000:Work').visible;

describe('a call of a function', () => {
  test.each<[CallFault, string | null, number]>([
    ['throttled', 'RequestThrottled', 0],
    ['failed', 'InternalError', 0],
    ['response-lost', 'TimeoutError', 1],
    ['repeated', null, 2],
  ])('that is %s ends with %s after %i messages', async (fault, error, messages) => {
    const faults = once('SendMessage', fault);
    const cloud = await sending(faults);
    expect(await invoke(cloud)).toEqual({ invocations: 1, error });
    expect(messagesIn(cloud)).toBe(messages);
    expect(faults.calls).toEqual([{ caller: 'Mine', service: 'SQS', operation: 'SendMessage' }]);
  });

  test.each<[CallFault, number]>([
    ['died-before', 0],
    // The second invocation made its call before the instance ended.
    ['died-after', 2],
  ])('%s it ends every invocation of the instance, and the next one begins anew', async (fault, messages) => {
    const cloud = await sending(once('SendMessage', fault));
    const ended = { errorType: 'Runtime.ExitError' };
    const [first, second] = await Promise.all([invoke(cloud), invoke(cloud)]);
    expect([first, second]).toMatchObject([ended, ended]);
    expect(messagesIn(cloud)).toBe(messages);
    expect(await invoke(cloud)).toEqual({ invocations: 1, error: null });
    expect(messagesIn(cloud)).toBe(messages + 1);
  });
});

test.each([
  ['whose deletion fails hands its message over again', 'DeleteMessageBatch', 'died-before', ['hello']],
  ['whose function is throttled hands its message over', 'Invoke', 'throttled', []],
] as const)('a mapping %s after the visibility timeout', async (_what, operation, fault, before) => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const faults = once(operation, fault);
  await startSmall(
    {
      functions: {
        Mine: {
          code: `exports.handler = async ({ Records }) => { console.log(Records[0].body); };`,
          statements: [{ Effect: 'Allow', Action: received, Resource: queue }],
        },
      },
      resources: {
        Work,
        Mapping: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: { EventSourceArn: queue, FunctionName: { Ref: 'Mine' } },
        },
      },
    },
    { faults, clock, logs: ({ level, text }) => void (level === 'info' && lines.push(text)) },
  ).then((cloud) =>
    cloud.call({
      role: OPERATOR,
      service: 'SQS',
      operation: 'SendMessage',
      input: { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Work', MessageBody: 'hello' },
    }),
  );
  const calls = () => faults.calls.filter((each) => each.operation === operation).length;
  await expect.poll(calls).toBe(1);
  expect(lines).toEqual(before);
  clock.advance(59_000);
  expect(lines).toEqual(before);
  clock.advance(2_000);
  await expect.poll(() => lines).toEqual([...before, 'hello']);
  await expect.poll(calls).toBe(2);
  expect(faults.calls.map(({ caller }) => caller)).toContain('Mapping');
});
