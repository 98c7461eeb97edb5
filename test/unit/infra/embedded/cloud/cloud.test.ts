import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { startCloud } from '../../../../../infra/embedded/cloud.ts';
import { DataDirectoryInUse } from '../../../../../infra/embedded/disk/disk.ts';
import { AddressUnusable } from '../../../../../infra/embedded/http-api/address-unusable.ts';
import { noFaults, randomFaults } from '../../../../../infra/embedded/faults.ts';
import { OPERATOR } from '../../../../../infra/embedded/iam/authorizer.ts';
import { until } from '../../../../support/until.ts';
import { smallAssembly, type SmallStack, startSmall, temporaryDirectory } from './small-stack.ts';

const queue = { Type: 'AWS::SQS::Queue', Properties: {} };
const slow: SmallStack = {
  functions: {
    Mine: {
      code: `exports.handler = async () => { await new Promise((resolve) => setTimeout(resolve, 200)); return 'done' }`,
    },
  },
  routes: { $default: 'Mine' },
};

test('data of a logical id that left the template stops the start, and is kept until the id is back', async () => {
  const dataDir = temporaryDirectory();
  const withQueue = smallAssembly({ resources: { Work: queue } });
  const first = await startCloud({ assembly: withQueue, dataDir });
  const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/Work';
  const call = { role: OPERATOR, service: 'SQS' } as const;
  await first.call({ ...call, operation: 'SendMessage', input: { QueueUrl, MessageBody: 'kept' } });
  await first.stop();

  const renamed = smallAssembly({ resources: { Labour: queue } });
  await expect(startCloud({ assembly: renamed, dataDir })).rejects.toThrow(
    'The data directory holds the data of Work (AWS::SQS::Queue), which the template no longer has.',
  );
  const again = await startCloud({ assembly: withQueue, dataDir });
  const { Messages } = await again.call({ ...call, operation: 'ReceiveMessage', input: { QueueUrl } });
  expect(Messages).toMatchObject([{ Body: 'kept' }]);
  await again.stop();
});

test('a data directory has one process', async () => {
  const dataDir = temporaryDirectory();
  await startSmall(slow, { dataDir });
  const second = startCloud({ assembly: () => expect.fail('an assembly was made'), dataDir });
  await expect(second).rejects.toBeInstanceOf(DataDirectoryInUse);
  await expect(second).rejects.toThrow(`Another process is using the data directory ${dataDir}`);
});

test('a taken port stops the start and leaves the data directory free', async () => {
  const port = Number(new URL((await startSmall(slow)).url).port);
  const dataDir = temporaryDirectory();
  const refused = startCloud({ assembly: smallAssembly(slow), dataDir, port });
  await expect(refused).rejects.toBeInstanceOf(AddressUnusable);
  await expect(refused).rejects.toThrow(`The port ${port} of 127.0.0.1 is taken.`);
  await startSmall(slow, { dataDir });
});

test('a stop answers the current requests and refuses others', async () => {
  const cloud = await startCloud({ assembly: smallAssembly(slow), dataDir: temporaryDirectory() });
  const underWay = fetch(cloud.url);
  const functions = [...cloud.functions.values()];
  await expect.poll(() => functions.some(({ running }) => running > 0)).toBe(true);
  const stopped = cloud.stop();
  expect(await (await underWay).text()).toBe('done');
  await stopped;
  await expect(fetch(cloud.url)).rejects.toThrow();
});

test('a stopped cloud refuses calls, so nothing of it keeps its process from ending', async () => {
  const table = {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    },
  };
  const clock = new FakeClock();
  const assembly = smallAssembly({ resources: { Counts: table } });
  const cloud = await startCloud({ assembly, dataDir: temporaryDirectory(), clock });
  const put = () =>
    cloud.call({
      role: OPERATOR,
      service: 'DynamoDB',
      operation: 'PutItem',
      input: { TableName: 'Counts', Item: { pk: 'a', sk: 'b', expiresAt: clock.now() / 1_000 + 60 } },
    });
  await put();
  expect(clock.nextWake()).toBeGreaterThan(clock.now());
  await cloud.stop();
  // A function of this process writes its counts when their interval is over.
  await expect(put()).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  expect(clock.nextWake()).toBeUndefined();
});

test('a stop waits at most its grace period for requests that do not end', async () => {
  const stack: SmallStack = {
    functions: { Mine: { code: 'exports.handler = () => new Promise(() => {})' } },
    routes: { $default: 'Mine' },
  };
  const cloud = await startCloud({ assembly: smallAssembly(stack), dataDir: temporaryDirectory() });
  const cut = fetch(cloud.url).catch((error: unknown) => error);
  await expect.poll(() => [...cloud.functions.values()][0]?.running).toBe(1);
  // Without its grace it would wait for ever.
  await cloud.stop({ graceMs: 100 });
  expect(await cut).toBeInstanceOf(Error);
});

test('an instance gets SIGTERM before it is dropped', async () => {
  const mark = `${temporaryDirectory()}/ended`;
  const code = `process.on('SIGTERM', () => require('fs').writeFileSync(${JSON.stringify(mark)}, '')); exports.handler = async () => 1`;
  const cloud = await startCloud({
    assembly: smallAssembly({ functions: { Mine: { code } }, routes: { $default: 'Mine' } }),
    dataDir: temporaryDirectory(),
  });
  await fetch(cloud.url);
  expect(existsSync(mark)).toBe(false);
  await cloud.stop();
  expect(existsSync(mark)).toBe(true);
});

const mapped = (statements: Record<string, unknown>[]): SmallStack => {
  const arn = { 'Fn::GetAtt': ['Work', 'Arn'] };
  return {
    functions: {
      Mine: {
        code: `exports.handler = async ({ Records }) => { for (const { body } of Records) console.log('got ' + body) }`,
        statements: statements.map((each) => ({ ...each, Resource: arn })),
      },
    },
    resources: {
      Work: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: arn, FunctionName: { Ref: 'Mine' } },
      },
    },
  };
};

test('a message goes to the function of the queue mapping, and is deleted', async () => {
  const lines: string[] = [];
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const cloud = await startSmall(mapped([{ Effect: 'Allow', Action: actions }]), {
    logs: ({ text }) => lines.push(text),
  });
  const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/Work';
  await cloud.call({
    role: OPERATOR,
    service: 'SQS',
    operation: 'SendMessage',
    input: { QueueUrl, MessageBody: 'a' },
  });
  await expect.poll(() => lines).toEqual(['got a']);
  const queueArn = 'arn:aws:sqs:us-east-1:000000000000:Work';
  await expect.poll(() => cloud.services.sqs.countsOf(queueArn)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

test.each([
  ['more than ten messages', noFaults, 50],
  ['ten messages as on AWS while faults are injected', randomFaults(1, {}), 10],
])('a quick function of a queue mapping gets up to %s', async (_, faults, largest) => {
  const sizes: number[] = [];
  const actions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
  const stack = mapped([{ Effect: 'Allow', Action: actions }]);
  const code = 'exports.handler = async ({ Records }) => { console.log(String(Records.length)) }';
  const cloud = await startSmall(
    {
      functions: { Mine: { ...stack.functions?.['Mine'], code } },
      resources: {
        ...stack.resources,
        Mapping: {
          Type: 'AWS::Lambda::EventSourceMapping',
          Properties: {
            ...stack.resources?.['Mapping']?.Properties,
            ScalingConfig: { MaximumConcurrency: 2 },
          },
        },
      },
    },
    { faults, logs: ({ text }) => sizes.push(Number(text)) },
  );
  const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/Work';
  const send = (n: number) =>
    cloud.call({
      role: OPERATOR,
      service: 'SQS',
      operation: 'SendMessage',
      input: { QueueUrl, MessageBody: String(n) },
    });
  const count = 600;
  // On a busy machine a batch may be slow by chance.
  await until('a batch is as large as it may be', async () => {
    sizes.length = 0;
    await Promise.all(Array.from({ length: count }, (_each, n) => send(n)));
    await until('all are handed over', () => sizes.reduce((sum, size) => sum + size, 0) >= count);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(largest);
    return Math.max(...sizes) === largest;
  });
});

test('a mapping whose function may not receive from the queue stops the start', async () => {
  const started = startCloud({
    assembly: smallAssembly(mapped([{ Effect: 'Allow', Action: 'sqs:SendMessage' }])),
    dataDir: temporaryDirectory(),
  });
  await expect(started).rejects.toThrow(/Mapping needs sqs:ReceiveMessage/);
});

test('a function whose role Lambda may not assume stops the start', async () => {
  const assembly = smallAssembly(slow);
  const role = assembly.template.Resources['MineRole']?.Properties as {
    AssumeRolePolicyDocument: { Statement: { Principal: object }[] };
  };
  for (const statement of role.AssumeRolePolicyDocument.Statement)
    statement.Principal = { Service: 'ecs.amazonaws.com' };
  await expect(startCloud({ assembly, dataDir: temporaryDirectory() })).rejects.toThrow(/which Lambda may not assume/);
});
