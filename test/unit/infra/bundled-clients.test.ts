import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Cloud } from '../../../infra/embedded/cloud.ts';
import { functionsBuilds } from '../../../infra/bundle.ts';
import { OPERATOR } from '../../../infra/embedded/iam/authorizer.ts';
import { AccountId, SourceId, UserId } from '../../../shared/domain/id.ts';
import type { RunnerLine, RunnerRequest } from '../../../shared/domain/run/run.ts';
import { awsOverHttp } from '../../support/aws-over-http.ts';
import type * as clients from './clients-entry.ts';
import { type SmallStack, startSmall } from './embedded/cloud/small-stack.ts';

/**
 * infra/slim replaces modules of the SDK in the functions' bundles, and on one machine calls never reach a socket. Here
 * they do: bundled as functions are, signed, serialised, sent, and read again.
 */
type Bundle = typeof clients;

const key = (name: string) => ({ AttributeName: name, KeyType: name === 'pk' ? 'HASH' : 'RANGE' });
const stack: SmallStack = {
  functions: {
    Builder: {
      code: `exports.handler = async ({ ownerId, code }, { tenantId }) =>
        code === 'throw' ? Promise.reject(new TypeError('not so')) : { ok: false, code: 'build_failed', message: ownerId + ' ' + tenantId }`,
      properties: { TenancyConfig: { TenantIsolationMode: 'PER_TENANT' } },
    },
    Runner: {
      code: `exports.handler = awslambda.streamifyResponse(async ({ jobs }, stream) => {
        for (const { id } of jobs) stream.write(JSON.stringify({ k: 'emit', job: id, json: '"' + 'ä'.repeat(200_000) + '"', meta: {} }) + '\\n');
        if (jobs.length > 2) throw new Error('lost');
        stream.end(JSON.stringify({ k: 'end', job: jobs[0].id, ms: 1 }));
      })`,
      properties: { TenancyConfig: { TenantIsolationMode: 'PER_TENANT' } },
    },
  },
  resources: {
    Table: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [key('pk'), key('sk')],
        Replicas: [{ Region: 'us-east-1' }],
      },
    },
    Files: { Type: 'AWS::S3::Bucket' },
    Work: { Type: 'AWS::SQS::Queue' },
    Schedules: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: {
          Version: '2012-10-17',
          Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'scheduler.amazonaws.com' } }],
        },
      },
    },
    Group: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { Name: 'group' } },
    Key: { Type: 'AWS::KMS::Key', Properties: { KeyPolicy: {} } },
  },
};

const folder = mkdtempSync(join(tmpdir(), 'bundled-clients-'));
let bundle: Bundle;

beforeAll(async () => {
  const outfile = join(folder, 'index.js');
  const [options] = functionsBuilds(folder);
  await build({ ...options, entryPoints: { index: 'test/unit/infra/clients-entry.ts' } });
  bundle = createRequire(import.meta.url)(outfile) as Bundle;
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The small stack, with the environment that leads the bundle's clients to it. */
async function started(): Promise<Cloud> {
  const cloud = await startSmall(stack);
  const endpoint = await awsOverHttp(cloud);
  for (const [name, value] of Object.entries(cloud.open.operatorEnvironment)) vi.stubEnv(name, value);
  for (const service of ['DYNAMODB', 'KMS', 'LAMBDA', 'S3', 'SCHEDULER', 'SQS']) {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return cloud;
}

const ownerId = UserId.parse('u_abcdefg');

test('bundled clients read the environment and no configuration file', async () => {
  const file = join(folder, 'config');
  writeFileSync(file, '[default]\nregion = eu-west-1\n');
  vi.stubEnv('AWS_CONFIG_FILE', file);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.stubEnv('AWS_REGION', 'us-east-1');
  expect(await bundle.sqsClient().config.region()).toBe('us-east-1');
  vi.stubEnv('AWS_REGION', undefined);
  await expect(bundle.sqsClient().config.region()).rejects.toThrow('getInstanceMetadataRegion is left out');
});

describe('bundled as functions are, over sockets', () => {
  test('the table stores and returns items, and gives the reason of a refusal', async () => {
    await started();
    const { conditionally, GetCommand, PutCommand, transact, UpdateCommand } = bundle;
    const table = { dynamo: bundle.dynamoClient(), tableName: 'Table' };
    const item = {
      pk: 'a',
      sk: '1',
      bytes: new Uint8Array([0, 255]),
      deep: [{ n: 1.5, none: null }],
      all: true,
    };
    const put = (Item: Record<string, unknown>) =>
      conditionally(() =>
        table.dynamo.send(
          new PutCommand({ TableName: 'Table', Item, ConditionExpression: 'attribute_not_exists(pk)' }),
        ),
      );
    expect(await put(item)).toBeDefined();
    expect(await put(item)).toBeUndefined();
    const read = await table.dynamo.send(new GetCommand({ TableName: 'Table', Key: { pk: 'a', sk: '1' } }));
    expect(read.Item).toEqual(item);

    const Key = { pk: 'a', sk: '1' };
    const condition = { ConditionExpression: 'attribute_not_exists(pk)' };
    const [other, same] = [{ pk: 'b', sk: '1' }, item].map((Item) => ({
      Put: { TableName: 'Table', Item, ...condition },
    }));
    if (!other || !same) expect.fail('no writes');
    expect(await transact(table, [other, same])).toEqual({ ok: false, failed: 1 });
    expect(await transact(table, [other])).toEqual({ ok: true });

    await bundle.batchWrite(
      table,
      Array.from({ length: 30 }, (_, n) => ({ PutRequest: { Item: { pk: 'c', sk: `x${n}` } } })),
    );
    expect(await bundle.queryAll(table, bundle.beginningWith('c', 'x2'))).toHaveLength(11);
    expect(await bundle.batchGet(table, [Key, { pk: 'none', sk: '1' }])).toEqual([item]);
    const updated = await table.dynamo.send(
      new UpdateCommand({
        TableName: 'Table',
        Key,
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': 2 },
        ReturnValues: 'UPDATED_NEW',
      }),
    );
    expect(updated.Attributes).toEqual({ n: 2 });
    const missing = table.dynamo.send(new GetCommand({ TableName: 'Nowhere', Key }));
    await expect(missing).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: expect.stringMatching(/not found/) as unknown,
      $fault: 'client',
      $metadata: { httpStatusCode: 400, attempts: 1 },
    });
  });

  test('the bucket takes and gives objects, also by presigned addresses', async () => {
    await started();
    const bucket = bundle.createBucket(bundle.s3Client, 'files');
    const text = `ä\n${'0123456789'.repeat(40_000)}`;
    await bucket.putText('bodies/a b/ü.json', text);
    expect(await bucket.getText('bodies/a b/ü.json')).toBe(text);
    expect((await bucket.getBytes('bodies/a b/ü.json'))?.equals(Buffer.from(text))).toBe(true);
    expect([await bucket.getText('bodies/none'), await bucket.getBytes('bodies/none')]).toEqual([undefined, undefined]);
    await bucket.putText('bytes', Buffer.from(text));
    expect(await bucket.getText('bytes')).toBe(text);
    await bucket.copy('bodies/a b/ü.json', 'copied');
    expect(await (await fetch(await bucket.presignGet('copied', 60))).text()).toBe(text);
    const put = await fetch(await bucket.presignPut('put', 60), { method: 'PUT', body: 'by address' });
    expect([put.status, await bucket.getText('put')]).toEqual([200, 'by address']);
    expect(await bucket.list('put')).toEqual([{ key: 'put', bytes: 10 }]);
    expect(await bucket.copyIfPresent('none', 'copy of none')).toBe(false);
    await bucket.delete('put');
    expect(await bucket.getText('put')).toBeUndefined();
    const elsewhere = bundle.createBucket(bundle.s3Client, 'nowhere').putText('key', 'text');
    await expect(elsewhere).rejects.toMatchObject({
      name: 'NoSuchBucket',
      message: 'The specified bucket does not exist',
      $metadata: { httpStatusCode: 404 },
    });
  });

  test('an object that comes with its checksum is held against it', async () => {
    const text = '123456789';
    const hash = (name: string) => createHash(name).update(text).digest('base64');
    // The check values of https://reveng.sourceforge.io/crc-catalogue/all.htm; S3 itself adds the first where an upload
    // had none.
    const checksums = {
      crc64nvme: 'rosUhgp5mIg=',
      crc32: 'y/Q5Jg==',
      crc32c: '4waSgw==',
      sha1: hash('sha1'),
      sha256: hash('sha256'),
    };
    const server = createServer((request, response) => {
      const [, name = '', isWrong] = /(\w+)(-wrong)?\?/.exec(request.url ?? '') ?? [];
      const checksum = Object.entries(checksums).find(([each]) => each === name)?.[1] ?? '';
      response.setHeader(`x-amz-checksum-${name}`, checksum).end(isWrong ? text.replace('9', '0') : text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      vi.unstubAllEnvs();
      server.closeAllConnections();
      server.close();
    });
    const environment = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_REGION: 'us-east-1' };
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    vi.stubEnv('AWS_ENDPOINT_URL_S3', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const bucket = bundle.createBucket(bundle.s3Client, 'files');
    for (const name of Object.keys(checksums)) {
      expect(await bucket.getText(name)).toBe(text);
      await expect(bucket.getText(`${name}-wrong`), name).rejects.toThrow(/[Cc]hecksum mismatch/);
    }
  });

  test('the runner streams its lines, and a lost one ends them', async () => {
    await started();
    const runner = bundle.createRunner(bundle.lambdaClient, {
      functionName: 'Runner',
      tenantOf: () => ownerId,
    });
    const request = (...ids: string[]): RunnerRequest => ({
      ownerId,
      processKey: 'key',
      sourceId: '',
      bundle: { hash: 'hash', url: '' },
      props: {},
      db: '{}',
      limits: { timeoutMs: 1, memoryMb: 1, dbBytes: 1, emits: 1, eventBytes: 1 },
      jobs: ids.map((id) => ({ kind: 'describe', id })),
    });
    const linesOf = async (...ids: string[]) => {
      const lines: RunnerLine[] = [];
      await runner.run(request(...ids), (line) => lines.push(line));
      return lines.map((line) => `${line.k} ${line.job} ${line.k === 'emit' ? line.json.length : ''}`);
    };
    expect(await linesOf('a', 'b')).toEqual(['emit a 200002', 'emit b 200002', 'end a ']);
    expect(await linesOf('a', 'b', 'c')).toEqual(['emit a 200002', 'emit b 200002', 'emit c 200002']);
    const none = bundle
      .createRunner(bundle.lambdaClient, { functionName: 'None', tenantOf: () => ownerId })
      .run(request('a'), () => undefined);
    await expect(none).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  test('the builder answers, and fails by name', async () => {
    await started();
    const builder = bundle.createBuilder(bundle.lambdaClient, 'Builder');
    const uploads = { attempt: '', bundle: '', manifest: '' };
    expect(await builder.build({ ownerId, code: '', uploads })).toEqual({
      ok: false,
      code: 'build_failed',
      message: `${ownerId} ${ownerId}`,
    });
    await expect(builder.build({ ownerId, code: 'throw', uploads })).rejects.toThrow('not so');
  });

  test('the key decrypts its own ciphertexts, for their owner only', async () => {
    await started();
    const vault = bundle.createVault(bundle.kmsClient, 'arn:aws:kms:us-east-1:000000000000:key/Key', Date.now);
    const account = { id: AccountId.parse('apn_abcdefg'), ownerId };
    const sealed = await vault.encrypt(account, { token: 'ä secret' });
    expect(await vault.decrypt({ ...account, sealed })).toEqual({ token: 'ä secret' });
    const stranger = vault.decrypt({ ...account, ownerId: UserId.parse('u_another'), sealed });
    await expect(stranger).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  test('a target gets a signed call, and its refusal has a name', async () => {
    const cloud = await started();
    const addressOf = () => process.env['AWS_ENDPOINT_URL_SQS'] ?? '';
    const callTarget = bundle.createCallTarget({ addressOf, now: Date.now });
    const send = (queue: string) => {
      const target = { kind: 'queue', arn: `arn:aws:sqs:us-east-1:000000000000:${queue}`, roleArn: null } as const;
      const event = {
        emitterId: SourceId.parse('dc_1'),
        stream: 'default',
        emitId: 'e',
        body: Buffer.from('"ä"'),
        now: 1,
      };
      return callTarget(bundle.callOf(target, ownerId, event), AbortSignal.timeout(5_000));
    };
    expect(await send('Work')).toMatchObject({ MessageId: expect.any(String) as unknown });
    expect(cloud.services.sqs.countsOf('arn:aws:sqs:us-east-1:000000000000:Work').visible).toBe(1);
    await expect(send('None')).rejects.toMatchObject({ name: 'QueueDoesNotExist', $metadata: { httpStatusCode: 400 } });
  });

  test('a schedule is made, replaced and deleted, and messages go out in batches', async () => {
    const cloud = await started();
    const schedules = bundle.createSchedules({
      scheduler: bundle.schedulerClient,
      groupName: 'group',
      roleArn: 'arn:aws:iam::000000000000:role/Schedules',
      deadLettersArn: 'arn:aws:sqs:us-east-1:000000000000:Work',
    });
    const schedule = {
      name: 'one',
      when: { expression: 'rate(5 minutes)' },
      startAt: new Date(Date.now() + 3_600_000),
      queueArn: 'arn:aws:sqs:us-east-1:000000000000:Work',
      input: '"ä"',
    };
    const expression = () => {
      const stored = cloud.services.disk.get('t/s/group/one') ?? '{}';
      return (JSON.parse(stored) as { definition?: { scheduleExpression: string } }).definition?.scheduleExpression;
    };
    await schedules.put(schedule);
    await schedules.create({ ...schedule, when: { expression: 'rate(1 minute)' } });
    expect(expression()).toBe('rate(5 minutes)');
    await schedules.put({ ...schedule, when: { expression: 'rate(2 minutes)' } });
    expect(expression()).toBe('rate(2 minutes)');
    await schedules.delete('one');
    await schedules.delete('one');
    expect(expression()).toBeUndefined();

    const queueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/Work';
    const client = bundle.sqsClient();
    const queue = { sqs: () => client, queueUrl };
    await bundle.sendAll(
      queue,
      Array.from({ length: 12 }, (_, n) => ({ body: `ä ${n}` })),
    );
    const nowhere = bundle.sendAll({ ...queue, queueUrl: `${queueUrl}-not` }, [{ body: 'x' }]);
    await expect(nowhere).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    const received = await cloud.call({
      role: OPERATOR,
      service: 'SQS',
      operation: 'ReceiveMessage',
      input: { QueueUrl: queueUrl, MaxNumberOfMessages: 10 },
    });
    expect(received['Messages']).toHaveLength(10);
  });
});
