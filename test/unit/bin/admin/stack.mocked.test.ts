import { DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { operateWith } from '../../../../bin/admin/operate.ts';
import { runCommand } from '../../../support/command.ts';
import { ann, respondWith, calls, cloudFormation, deadLetter, flow, lambda, outputs, resetAws, slack } from './aws.ts';

beforeEach(resetAws);

const deadLettersOf = (queue: string) => `https://sqs.eu-west-1.amazonaws.com/123456789012/the-dead-${queue}`;

const folder = mkdtempSync(join(tmpdir(), 'tributary-stack-'));
const file = join(folder, 'source.mjs');
writeFileSync(file, 'export default {}');
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const operate = operateWith(() => Promise.reject(new Error('The commands use no service of this machine')));

/** The JSON of a command with `--stack Ours`. Throws the sentence of a failure. */
async function admin(...argv: string[]): Promise<unknown> {
  const line = ['admin', ...argv, '--stack', 'Ours', '--json'];
  const { code, out, error } = await runCommand(line, { operate });
  if (code !== 0) throw new Error(error.trimEnd());
  return JSON.parse(out);
}

test.each<[string, string[], string[]]>([
  [
    'users create',
    ['--username', 'bob', '--email', 'b@c.d'],
    ['BatchGet the-table', 'Put the-table', 'Query the-table', 'TransactWrite the-table', 'Update the-table'],
  ],
  ['users list', [], ['BatchGet the-table', 'Query the-table']],
  [
    'users rotate-key',
    ['--user', ann],
    ['Get the-table', 'Put the-table', 'TransactWrite the-table', 'Update the-table'],
  ],
  [
    'users set-plan',
    ['--user', ann, '--plan', 'paid'],
    ['Get the-table', 'Put the-table', 'Query the-table', 'Update the-table'],
  ],
  ['usage', ['--days', '30'], ['BatchGet the-table', 'Query the-table']],
  [
    'pause',
    [],
    ['Get', 'Update'].flatMap((verb) => [
      ...['deliveries', 'retries', 'runs', 'timers'].map((queue) => `${verb}EventSourceMapping the-mapping-${queue}`),
      ...(verb === 'Get' ? ['Put the-table'] : []),
    ]),
  ],
  [
    'pause',
    ['--api'],
    [
      ...['Get', 'Update'].flatMap((verb) => [
        ...['deliveries', 'retries', 'runs', 'timers'].map((queue) => `${verb}EventSourceMapping the-mapping-${queue}`),
        ...(verb === 'Get' ? ['Put the-table'] : []),
      ]),
    ],
  ],
  [
    'users suspend',
    ['--user', ann],
    ['Get the-table', 'Put the-table', 'Query the-table', 'TransactWrite the-table', 'Update the-table'],
  ],
  [
    'users delete',
    ['--user', ann],
    [
      'BatchGet the-table',
      'BatchWrite the-table',
      'Delete the-table',
      'Get the-table',
      'Put the-table',
      'Query the-table',
      `SendMessageBatch ${outputs.RunsQueueUrl}`,
      'TransactWrite the-table',
      'Update the-table',
    ],
  ],
  [
    'components publish',
    ['--file', file],
    [
      'CopyObject the-bucket',
      'Get the-table',
      'GetObject the-bucket',
      'Invoke the-builder',
      'InvokeWithResponseStream the-runner',
      'Put the-table',
      'PutObject the-bucket',
      'TransactWrite the-table',
      'Update the-table',
    ],
  ],
  [
    'workflows register',
    ['--owner', ann, '--name', 'flow', '--target', 'https://example.org'],
    [
      'GenerateDataKey arn:aws:kms:eu-west-1:123456789012:key/the-key',
      'Get the-table',
      'Put the-table',
      'Query the-table',
      'TransactWrite the-table',
      'Update the-table',
    ],
  ],
  ['workflows list', [], ['BatchGet the-table', 'Query the-table']],
  [
    'workflows delete',
    ['--workflow', flow],
    [
      'Delete the-table',
      'Get the-table',
      'Put the-table',
      'Query the-table',
      `SendMessageBatch ${outputs.RunsQueueUrl}`,
      'Update the-table',
    ],
  ],
  [
    'accounts add',
    ['--owner', ann, '--app', 'slack', '--field', 'token=x', '--field', 'url=https://y.example'],
    [
      'GenerateDataKey arn:aws:kms:eu-west-1:123456789012:key/the-key',
      'Get the-table',
      'Put the-table',
      'TransactWrite the-table',
      'Update the-table',
    ],
  ],
  ['accounts list', ['--owner', ann], ['BatchGet the-table', 'Query the-table']],
  [
    'dead-letters list',
    [],
    [
      `ChangeMessageVisibilityBatch ${deadLettersOf('runs')}`,
      ...['deliveries', 'retries', 'runs', 'schedules', 'timers'].map(
        (queue) => `ReceiveMessage ${deadLettersOf(queue)}`,
      ),
    ],
  ],
  [
    'dead-letters show',
    ['--queue', 'runs', '--message', deadLetter],
    [`ChangeMessageVisibilityBatch ${deadLettersOf('runs')}`, `ReceiveMessage ${deadLettersOf('runs')}`],
  ],
  [
    'dead-letters redrive',
    ['--queue', 'runs', '--message', deadLetter],
    [
      `DeleteMessageBatch ${deadLettersOf('runs')}`,
      `ReceiveMessage ${deadLettersOf('runs')}`,
      'SendMessageBatch https://sqs.eu-west-1.amazonaws.com/123456789012/the-runs',
    ],
  ],
  [
    'dead-letters drop',
    ['--queue', 'runs', '--message', deadLetter],
    [`DeleteMessageBatch ${deadLettersOf('runs')}`, `ReceiveMessage ${deadLettersOf('runs')}`],
  ],
  ['accounts delete', ['--account', slack], ['Get the-table', 'TransactWrite the-table']],
])('%s calls AWS, every resource by the name that the outputs give', async (name, options, expected) => {
  await admin(...name.split(' '), ...options);
  expect(cloudFormation.calls().map(({ args }) => args[0].input)).toEqual([{ StackName: 'Ours' }]);
  expect(calls()).toEqual(expected);
});

test('the addresses that the builder and the runner are handed are of the bucket', async () => {
  await admin('components', 'publish', '--file', file);
  for (const { args } of lambda.calls()) {
    const { Payload = [], PayloadValue } = args[0].input as { Payload?: Uint8Array; PayloadValue?: unknown };
    const payload = PayloadValue === undefined ? Buffer.from(Payload).toString() : JSON.stringify(PayloadValue);
    const locations = [...payload.matchAll(/https:\/\/[^/"]+\/[^/"]+/g)].map(([location]) => location);
    expect(locations.length).toBeGreaterThan(0);
    for (const location of locations) expect(location).toBe('https://s3.eu-west-1.amazonaws.com/the-bucket');
  }
});

test("a workflow's address is below the ingress", async () => {
  const options = ['--owner', ann, '--name', 'flow', '--target', 'https://example.org'];
  expect(await admin('workflows', 'register', ...options)).toMatchObject({
    ingest_url: expect.stringMatching(/^https:\/\/ingress\.example\.org\/workflows\/p_[0-9a-z]{24}$/) as string,
  });
});

describe('a deployment in the stack of another app', () => {
  const prefixed = (prefix: string) =>
    Object.fromEntries(Object.entries(outputs).map(([name, value]) => [`${prefix}${name}`, value]));
  const list = (stack: string) => runCommand(['admin', 'users', 'list', '--stack', stack, '--json'], { operate });

  test('is named by its stack and the ids of its construct', async () => {
    respondWith({ ...prefixed('Audit'), ...prefixed('EventsMine'), EventsMineTableName: 'its-table', Url: 'x' });
    expect(await list('Ours_Events_Mi-ne')).toMatchObject({ code: 0 });
    expect(cloudFormation.calls().map(({ args }) => args[0].input)).toEqual([{ StackName: 'Ours' }]);
    expect(calls()).toEqual(['BatchGet its-table', 'Query its-table']);
  });

  test.each(['Ours', 'Ours_Event'])('is proposed where there is no other: %s', async (stack) => {
    respondWith({ ...prefixed('Audit'), ...prefixed('Events') });
    const { code, error } = await list(stack);
    expect(code).toBe(1);
    expect(error).toContain('The stack has deployments in Audit, Events: give --stack Ours_Audit or Ours_Events.');
  });
});

describe('a sentence explains', () => {
  test('that a workflow needs an HTTPS target where private addresses are not allowed', async () => {
    const options = ['--owner', ann, '--name', 'flow', '--target', 'http://example.org'];
    const attempt = () => admin('workflows', 'register', ...options);
    await expect(attempt()).rejects.toThrow(
      new Error('The target must begin with https://, because this stage does not allow private addresses.'),
    );
    respondWith({ ...outputs, AllowPrivateNetwork: '1' });
    expect(await attempt()).toMatchObject({ id: expect.stringMatching(/^p_/) as string });
  });

  test.each([
    ['arn:aws:sqs:eu-west-1:123456789012:orders', 'setting `targets` of the stage', undefined],
    ['arn:aws:sqs:eu-west-1:123456789012:orders', undefined, 'arn:aws:sqs:*:*:*'],
    ['arn:aws:sqs:eu-west-1:999999999999:orders', 'is in another account', 'arn:aws:sqs:*:*:*'],
    [
      'arn:aws:sqs:eu-west-1:123456789012:the-retries',
      'must not be a queue of the service itself',
      'arn:aws:sqs:*:*:*',
    ],
  ])('whether a workflow may have the target %s: %s', async (target, sentence, patterns) => {
    respondWith({ ...outputs, ...(patterns === undefined ? {} : { Targets: patterns }) });
    const registered = admin('workflows', 'register', '--owner', ann, '--name', 'flow', '--target', target);
    if (sentence === undefined) expect(await registered).toMatchObject({ id: expect.stringMatching(/^p_/) as string });
    else await expect(registered).rejects.toThrow(sentence);
  });

  test('that there is no such stack', async () => {
    const unknown = Object.assign(new Error('Stack with id Ours does not exist'), {
      name: 'ValidationError',
    });
    cloudFormation.on(DescribeStacksCommand).rejects(unknown);
    await expect(admin('users', 'list')).rejects.toThrow(
      new Error('There is no stack Ours in eu-west-1 for your credentials.'),
    );
  });

  test('why the stack cannot be looked up', async () => {
    const refusal = Object.assign(new Error('You may not'), { name: 'AccessDenied' });
    cloudFormation.on(DescribeStacksCommand).rejects(refusal);
    await expect(admin('users', 'list')).rejects.toThrow(new Error('The stack Ours cannot be looked up: You may not.'));
  });

  test.each([
    ['Region is missing', 'no region is set: set AWS_REGION'],
    ['Could not load credentials from any providers', 'there are no AWS credentials: set AWS_PROFILE'],
  ])('the mend of %s', async (words, mend) => {
    cloudFormation.on(DescribeStacksCommand).rejects(new Error(words));
    await expect(admin('users', 'list')).rejects.toThrow(`The stack Ours cannot be looked up: ${mend}`);
  });

  test.each(Object.keys(outputs))('that the output %s is missing', async (name) => {
    respondWith(Object.fromEntries(Object.entries(outputs).filter(([output]) => output !== name)));
    await expect(admin('users', 'list')).rejects.toThrow(
      new Error(`The stack lacks the output ${name}: deploy this version of it first.`),
    );
    expect(calls()).toEqual([]);
  });

  test('that the stack is another one altogether', async () => {
    respondWith({ SomethingElse: 'x' });
    await expect(admin('users', 'list')).rejects.toThrow(
      `The stack lacks the outputs ${Object.keys(outputs).join(', ')}: deploy this version of it first.`,
    );
  });
});
