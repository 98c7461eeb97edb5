import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type Cloud, type CloudOptions, startCloud } from '../../../../../infra/embedded/cloud.ts';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import { ThreadLoad } from '../../../../../infra/embedded/event-source-mapping/thread-load.ts';
import { OPERATOR } from '../../../../../infra/embedded/iam/authorizer.ts';
import { smallAssembly, temporaryDirectory } from '../cloud/small-stack.ts';
import { threadProgram } from '../cloud/thread-program.ts';

const program = threadProgram();
const { resolve } = createRequire(import.meta.url);

const client = (service: string, name: string) => `
const { ${name}Client, ...commands } = require(${JSON.stringify(resolve(`@aws-sdk/client-${service}`))});
const client = new ${name}Client({ region: 'us-east-1' });
client.middlewareStack.use(process[Symbol.for('tributary.aws.plugin')]);`;

const everything = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 's3:*', 'kms:*'];

/** The thread of the services is busy, unless a test says otherwise. */
let isBusy = true;
beforeEach(() => {
  isBusy = true;
  vi.spyOn(ThreadLoad.prototype, 'isBusy').mockImplementation(() => isBusy);
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Overridden {
  actions?: string[];
  thread?: string;
}

/** `Mine` consumes a queue and invokes no other function, so it may run in the second thread. */
async function start(
  code: string,
  { actions = everything, thread = program(), ...options }: Partial<CloudOptions> & Overridden = {},
): Promise<Cloud> {
  const queue = { 'Fn::GetAtt': ['Work', 'Arn'] };
  const assembly = smallAssembly({
    functions: {
      Mine: { code, statements: [{ Effect: 'Allow', Action: actions, Resource: '*' }] },
    },
    resources: {
      Work: { Type: 'AWS::SQS::Queue', Properties: { VisibilityTimeout: 60 } },
      Store: { Type: 'AWS::S3::Bucket' },
      Mapping: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: { EventSourceArn: queue, FunctionName: { Ref: 'Mine' } },
      },
    },
  });
  const cloud = await startCloud({
    assembly: { ...assembly, thread },
    dataDir: temporaryDirectory(),
    ...options,
  });
  onTestFinished(() => cloud.stop({ graceMs: 1000 }));
  return cloud;
}

async function invoke(cloud: Cloud, event: unknown): Promise<unknown> {
  const input = { FunctionName: 'Mine', Payload: JSON.stringify(event) };
  const { Payload } = await cloud.call({ role: OPERATOR, service: 'Lambda', operation: 'Invoke', input });
  return JSON.parse(Buffer.from(Payload as Uint8Array).toString());
}

const where = `exports.handler = async () => require('node:worker_threads').isMainThread`;

test('a function that a queue feeds and that invokes no other one runs in the second thread while the first is busy', async () => {
  const cloud = await start(where);
  expect(await invoke(cloud, {})).toBe(false);
  isBusy = false;
  expect(await invoke(cloud, {})).toBe(true);
  isBusy = true;
  expect(await invoke(cloud, {})).toBe(false);
});

test('a thread that is not busy runs the function itself, so no other one starts', async () => {
  isBusy = false;
  const cloud = await start(where, { thread: '/no/such/program.js' });
  expect(await invoke(cloud, {})).toBe(true);
});

test('a function that may invoke others runs in the thread of the services', async () => {
  const actions = [...everything, 'lambda:InvokeFunction'];
  expect(await invoke(await start(where, { actions }), {})).toBe(true);
});

test('with another clock than the machine’s, a function runs in the thread of the services', async () => {
  expect(await invoke(await start(where, { clock: new FakeClock() }), {})).toBe(true);
});

test('it has the environment of the template, and no variable of the machine', async () => {
  process.env['SECRET_OF_THE_MACHINE'] = 'x';
  onTestFinished(() => {
    delete process.env['SECRET_OF_THE_MACHINE'];
  });
  const cloud = await start('exports.handler = async () => process.env');
  const environment = await invoke(cloud, {});
  expect(environment).toMatchObject({ AWS_LAMBDA_FUNCTION_NAME: 'Mine', AWS_REGION: 'us-east-1' });
  expect(environment).not.toHaveProperty('SECRET_OF_THE_MACHINE');
});

const QUEUE_URL = 'https://sqs.us-east-1.amazonaws.com/000000000000/Work';

test('its calls run with its role, and fail with the errors of AWS', async () => {
  const code = `${client('sqs', 'SQS')}
    exports.handler = async ({ operation, input }) => {
      try {
        return await client.send(new commands[operation + 'Command'](input));
      } catch ({ name, message, $fault, $metadata }) {
        return { name, message, $fault, status: $metadata.httpStatusCode };
      }
    }`;
  const cloud = await start(code);
  const input = { QueueUrl: QUEUE_URL, MessageBody: 'body' };
  const refused = await invoke(cloud, { operation: 'SendMessage', input });
  expect(refused).toMatchObject({ name: 'AccessDenied', $fault: 'client', status: 403 });
  const allowed = await invoke(cloud, { operation: 'ReceiveMessage', input: { QueueUrl: QUEUE_URL } });
  expect(allowed).toMatchObject({ $metadata: { httpStatusCode: 200 } });
});

test('a call with a value that no service takes fails alone, and so does a response that is not JSON', async () => {
  const code = `${client('sqs', 'SQS')}
    exports.handler = async ({ cyclic }) => {
      if (cyclic) { const response = {}; return Object.assign(response, { response }); }
      const sent = [() => 'x', '${QUEUE_URL}'].map((QueueUrl) => client.send(new commands.ReceiveMessageCommand({ QueueUrl })));
      return (await Promise.allSettled(sent)).map(({ status }) => status);
    }`;
  const cloud = await start(code);
  expect(await invoke(cloud, {})).toEqual(['rejected', 'fulfilled']);
  expect(await invoke(cloud, { cyclic: true })).toMatchObject({ errorType: 'Runtime.MarshalError' });
});

test('an object of the bucket arrives with a readable body', async () => {
  const code = `${client('s3', 'S3')}
    exports.handler = async ({ text }) => {
      await client.send(new commands.PutObjectCommand({ Bucket: 'store', Key: 'k', Body: text }));
      const { Body } = await client.send(new commands.GetObjectCommand({ Bucket: 'store', Key: 'k' }));
      return Body.transformToString();
    }`;
  expect(await invoke(await start(code), { text: 'grüße' })).toBe('grüße');
});

test('its output is logged, and its error is its outcome', async () => {
  const lines: string[] = [];
  const cloud = await start(
    `exports.handler = async () => { console.log('a line'); throw new RangeError('too far'); }`,
    { logs: ({ functionName, level, text }) => lines.push(`${functionName} ${level} ${text}`) },
  );
  expect(await invoke(cloud, {})).toMatchObject({ errorType: 'RangeError', errorMessage: 'too far' });
  expect(lines[0]).toBe('Mine info a line');
  expect(lines[1]).toMatch(/^Mine error RangeError: too far/);
});

test('code that throws while it loads fails the invocation, and is loaded again by the next one', async () => {
  const code = `globalThis.threadTries = (globalThis.threadTries ?? 0) + 1;
    if (!require('node:worker_threads').isMainThread && globalThis.threadTries === 1) throw new RangeError('not yet'); exports.handler = async () => 'now'`;
  const cloud = await start(code);
  expect(await invoke(cloud, {})).toMatchObject({ errorMessage: 'not yet' });
  expect(await invoke(cloud, {})).toBe('now');
});

test('the hash of the running code is known', async () => {
  const cloud = await start(where);
  expect(await invoke(cloud, {})).toBe(false);
  expect(cloud.functions.get('Mine')?.codeSha256).toMatch(/^[0-9a-f]{64}$/);
});

test('if the thread dies, its invocations fail, and the next invocation starts another thread', async () => {
  const cloud = await start(
    `exports.handler = async ({ die }) => { if (die) { setImmediate(() => { throw new Error('no more'); }); await new Promise(() => {}); } return 'alive'; }`,
  );
  const [died, other] = await Promise.all([invoke(cloud, { die: true }), invoke(cloud, { die: true })]);
  expect(died).toEqual({
    errorType: 'Runtime.ExitError',
    errorMessage: 'The thread of the function ended: no more',
  });
  expect(other).toEqual(died);
  expect(await invoke(cloud, {})).toBe('alive');
});

test('it receives the messages of its queue', async () => {
  const lines: string[] = [];
  const cloud = await start(
    `exports.handler = async ({ Records }) => { for (const { body } of Records) console.log('got ' + body); }`,
    { logs: ({ text }) => lines.push(text) },
  );
  const input = {
    QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/Work',
    MessageBody: 'a',
  };
  await cloud.call({ role: OPERATOR, service: 'SQS', operation: 'SendMessage', input });
  await expect.poll(() => lines).toEqual(['got a']);
});

test('a thread without an invocation for 45 s ends, and the next invocation starts another one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const cloud = await start(`let runs = 0; exports.handler = async () => (runs += 1);`);
  expect(await invoke(cloud, {})).toBe(1);
  vi.advanceTimersByTime(44_000);
  expect(await invoke(cloud, {})).toBe(2);
  vi.advanceTimersByTime(44_000);
  expect(await invoke(cloud, {})).toBe(3);
  vi.advanceTimersByTime(45_000);
  expect(await invoke(cloud, {})).toBe(1);
});

test('a thread with an invocation in progress does not end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const cloud = await start(
    `exports.handler = ({ ms }) => new Promise((resolve) => setTimeout(() => resolve('done'), ms));`,
  );
  const long = invoke(cloud, { ms: 300 });
  expect(await invoke(cloud, { ms: 0 })).toBe('done');
  vi.advanceTimersByTime(45_000);
  expect(await long).toBe('done');
});

test('its instances in both threads get SIGTERM when the cloud stops', async () => {
  const marks = temporaryDirectory();
  const cloud = await start(
    `const { isMainThread } = require('node:worker_threads');
    process.on('SIGTERM', () => require('fs').writeFileSync(${JSON.stringify(marks)} + '/' + isMainThread, '')); exports.handler = async () => 1`,
  );
  await invoke(cloud, {});
  expect(readdirSync(marks)).toEqual([]);
  await cloud.stop();
  expect(readdirSync(marks).sort()).toEqual(['false', 'true']);
});

test('a thread that never answers does not block the stop of the cloud', async () => {
  const cloud = await start('exports.handler = async () => { for (;;); }');
  void invoke(cloud, {});
  await expect.poll(() => cloud.functions.get('Mine')?.running).toBe(1);
  await cloud.stop({ graceMs: 100 });
});
