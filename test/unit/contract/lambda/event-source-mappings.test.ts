import {
  GetEventSourceMappingCommand,
  type LambdaClient,
  UpdateEventSourceMappingCommand,
} from '@aws-sdk/client-lambda';
import { describe, expect, test } from 'vitest';
import { OPERATOR } from '../../../../infra/embedded/iam/authorizer.ts';
import { startSmall, temporaryDirectory } from '../../infra/embedded/cloud/small-stack.ts';
import { paths } from './paths.ts';

const Work = { 'Fn::GetAtt': ['Work', 'Arn'] };
const stack = {
  functions: {
    Mine: {
      code: `exports.handler = async ({ Records }) => { for (const { body } of Records) console.log('got ' + body) }`,
      statements: [
        {
          Effect: 'Allow',
          Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
          Resource: Work,
        },
      ],
    },
  },
  resources: {
    Work: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
    Mapping: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: Work, FunctionName: { Ref: 'Mine' } },
    },
  },
};

describe.each(Object.entries(paths))('Lambda %s', (_path, clientOf) => {
  const update = (client: LambdaClient, Enabled: boolean) =>
    client.send(new UpdateEventSourceMappingCommand({ UUID: 'Mapping', Enabled }));

  test('an event-source mapping shows its queue, its function and its state', async () => {
    const client = clientOf(await startSmall(stack), OPERATOR);
    const shown = {
      UUID: 'Mapping',
      EventSourceArn: 'arn:aws:sqs:us-east-1:000000000000:Work',
      FunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:Mine',
    };
    const get = () => client.send(new GetEventSourceMappingCommand({ UUID: 'Mapping' }));
    expect(await get()).toMatchObject({ ...shown, State: 'Enabled' });
    expect(await update(client, false)).toMatchObject({ ...shown, State: 'Disabled' });
    expect(await get()).toMatchObject({ State: 'Disabled' });
  });

  test('an unknown mapping is not found, and a role without the permission may not change one', async () => {
    const cloud = await startSmall(stack);
    const unknown = new GetEventSourceMappingCommand({ UUID: 'Other' });
    await expect(clientOf(cloud, OPERATOR).send(unknown)).rejects.toThrow(
      expect.objectContaining({ name: 'ResourceNotFoundException' }) as Error,
    );
    const role = 'arn:aws:iam::000000000000:role/MineRole';
    await expect(update(clientOf(cloud, role), false)).rejects.toThrow(/lambda:UpdateEventSourceMapping/);
  });
});

test('a disabled mapping receives nothing, also after a restart, until it is enabled', async () => {
  const lines: string[] = [];
  const options = { dataDir: temporaryDirectory(), logs: ({ text }: { text: string }) => lines.push(text) };
  const first = await startSmall(stack, options);
  const set = (cloud: typeof first, Enabled: boolean) =>
    cloud.call({
      role: OPERATOR,
      service: 'Lambda',
      operation: 'UpdateEventSourceMapping',
      input: { UUID: 'Mapping', Enabled },
    });
  const countsOf = (cloud: typeof first) => cloud.services.sqs.countsOf('arn:aws:sqs:us-east-1:000000000000:Work');
  await set(first, false);
  await first.call({
    role: OPERATOR,
    service: 'SQS',
    operation: 'SendMessage',
    input: { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Work', MessageBody: 'a' },
  });
  expect(countsOf(first)).toMatchObject({ visible: 1 });
  const health = async (cloud: typeof first) => (await fetch(`${cloud.url}/healthz`)).status;
  await first.stop();

  const second = await startSmall(stack, options);
  expect(countsOf(second)).toMatchObject({ visible: 1, inFlight: 0 });
  expect(lines).toEqual([]);
  expect(await health(second)).toBe(503);
  await set(second, true);
  await expect.poll(() => lines).toEqual(['got a']);
});
