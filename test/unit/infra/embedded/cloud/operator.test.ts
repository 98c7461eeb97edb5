import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { S3Client, GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, onTestFinished, test } from 'vitest';
import { operatorAccess } from '../../../../../infra/embedded/operator/access.ts';
import { connectOperator } from '../../../../../infra/embedded/operator/client.ts';
import { socketPath } from '../../../../../infra/embedded/disk/socket-address.ts';
import { openOperatorSocket, secretPath } from '../../../../../infra/embedded/operator/socket.ts';
import { smallAssembly, startSmall, temporaryDirectory } from './small-stack.ts';

const stack = {
  functions: { Mine: { code: `exports.handler = async (event) => event` } },
  resources: {
    Things: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        Replicas: [{ Region: 'us-east-1' }],
      },
    },
    Files: { Type: 'AWS::S3::Bucket' },
  },
};

async function running() {
  const dataDir = temporaryDirectory();
  const cloud = await startSmall(stack, { dataDir });
  const { dispatch, outputs, operatorEnvironment: environment } = cloud.open;
  const backUp = cloud.services.backups.make;
  const socket = await openOperatorSocket({ dataDir, dispatch, backUp, about: { outputs, environment } });
  onTestFinished(() => socket.close());
  return dataDir;
}

const item = { pk: 'a', sk: 'b', bytes: new Uint8Array([1, 2]), tags: new Set(['x', 'y']), deep: { list: [1, null] } };

describe.each(['while the service runs', 'while no service runs'])('an operator, %s,', (when) => {
  async function access() {
    const assembly = smallAssembly(stack);
    const dataDir = when === 'while the service runs' ? await running() : temporaryDirectory();
    // As a service leaves it.
    mkdirSync(join(dataDir, 'store'), { recursive: true });
    const made = await operatorAccess({
      dataDir,
      origins: { api: 'http://here:1', ingress: 'http://here:2' },
      assembly: () => Promise.resolve(assembly),
    });
    onTestFinished(() => made.close());
    return made;
  }

  test('makes calls with every kind of value', async () => {
    const { dispatch } = await access();
    const call = { role: 'operator', service: 'DynamoDB' } as const;
    await dispatch({ ...call, operation: 'PutItem', input: { TableName: 'Things', Item: item } });
    const { Item } = await dispatch({
      ...call,
      operation: 'GetItem',
      input: { TableName: 'Things', Key: { pk: 'a', sk: 'b' } },
    });
    expect(Item).toEqual({ ...item, bytes: expect.objectContaining({ 0: 1, 1: 2 }) as unknown });
  });

  test('invokes functions and reads objects', async () => {
    const { dispatch } = await access();
    const input = { FunctionName: 'Mine', Payload: Buffer.from('{"a":1}') };
    const { Payload } = await dispatch({ role: 'operator', service: 'Lambda', operation: 'Invoke', input });
    expect((Payload as { transformToString(): string }).transformToString()).toBe('{"a":1}');
    const object = { Bucket: 'files', Key: 'k' };
    await dispatch({
      role: 'operator',
      service: 'S3',
      operation: 'PutObject',
      input: { ...object, Body: 'text' },
    });
    const { Body } = await dispatch({
      role: 'operator',
      service: 'S3',
      operation: 'GetObject',
      input: object,
    });
    expect(await (Body as { transformToString(): Promise<string> }).transformToString()).toBe('text');
  });

  test('gets the errors of AWS unchanged', async () => {
    const { dispatch } = await access();
    const input = { TableName: 'Nothing', Key: { pk: 'a', sk: 'b' } };
    await expect(
      dispatch({ role: 'operator', service: 'DynamoDB', operation: 'GetItem', input }),
    ).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      statusCode: 400,
    });
  });

  test('presigns addresses with credentials of its own', async () => {
    const { environment, dispatch } = await access();
    await dispatch({
      role: 'operator',
      service: 'S3',
      operation: 'PutObject',
      input: { Bucket: 'files', Key: 'k', Body: 'text' },
    });
    const {
      AWS_ACCESS_KEY_ID: accessKeyId = '',
      AWS_SECRET_ACCESS_KEY: secretAccessKey = '',
      AWS_ENDPOINT_URL_S3: endpoint = '',
    } = environment;
    const client = new S3Client({
      region: 'us-east-1',
      endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    const address = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'files', Key: 'k' }));
    expect(await (await fetch(address)).text()).toBe('text');
  });
});

test('only the owner can use the socket and read the secret', async () => {
  const dataDir = await running();
  for (const path of [socketPath(dataDir), secretPath(dataDir)]) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a connection without the secret is closed without a response', async () => {
  const dataDir = await running();
  const heard = await new Promise<string>((resolve) => {
    let text = '';
    const connection = connect(socketPath(dataDir), () =>
      connection.write(`${JSON.stringify({ secret: 'guessed', id: 1 })}\n`),
    );
    connection
      .on('data', (chunk) => (text += String(chunk)))
      .on('close', () => {
        resolve(text);
      });
  });
  expect(heard).toBe('');
});

test('the socket of a dead process is ignored', async () => {
  const dataDir = temporaryDirectory();
  expect(await connectOperator(dataDir)).toBeUndefined();
  writeFileSync(join(dataDir, 'admin.sock'), '');
  expect(await connectOperator(dataDir)).toBeUndefined();
});
