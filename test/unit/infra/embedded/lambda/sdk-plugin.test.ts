import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { expect, test } from 'vitest';
import { AwsError, type Call, type Dispatch } from '../../../../../infra/embedded/call.ts';
import { sdkPlugin } from '../../../../../infra/embedded/sdk-plugin.ts';

const config = { region: 'us-east-1', credentials: { accessKeyId: 'id', secretAccessKey: 'secret' } };

function documents(dispatch: Dispatch) {
  const client = new DynamoDBClient(config);
  client.middlewareStack.use(sdkPlugin({ dispatch, role: 'arn:role' }));
  return DynamoDBDocumentClient.from(client);
}

test('a document command passes its values, and its output returns unchanged', async () => {
  const calls: Call[] = [];
  const item = { pk: 'a', tags: new Set(['x']), bytes: new Uint8Array([1]), deep: { list: [1, null, true] } };
  const client = documents((call) => {
    calls.push(call);
    return Promise.resolve({ Item: item });
  });
  await client.send(new PutCommand({ TableName: 'Things', Item: item }));
  const { Item, $metadata } = await client.send(new GetCommand({ TableName: 'Things', Key: { pk: 'a' } }));

  expect(calls[0]).toEqual({
    role: 'arn:role',
    service: 'DynamoDB',
    operation: 'PutItem',
    input: { TableName: 'Things', Item: item },
  });
  expect(calls[1]).toMatchObject({ operation: 'GetItem', input: { Key: { pk: 'a' } } });
  expect(Item).toEqual(item);
  expect($metadata).toMatchObject({ httpStatusCode: 200, requestId: expect.any(String) as unknown });
});

test('an error has the form of the SDK: name, message, fault, status and members', async () => {
  const error = new AwsError('TransactionCanceledException', 'Cancelled', {
    members: { CancellationReasons: [{ Code: 'None' }] },
  });
  await expect(
    documents(() => Promise.reject(error)).send(new GetCommand({ TableName: 'T', Key: {} })),
  ).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    message: 'Cancelled',
    $fault: 'client',
    $metadata: { httpStatusCode: 400, requestId: expect.any(String) as unknown },
    CancellationReasons: [{ Code: 'None' }],
  });
});

test('a client that caches its middleware sends each command with its own input', async () => {
  const client = new SQSClient({ ...config, cacheMiddleware: true });
  const bodies: unknown[] = [];
  const dispatch: Dispatch = ({ input }) => Promise.resolve({ MessageId: String(bodies.push(input['MessageBody'])) });
  client.middlewareStack.use(sdkPlugin({ dispatch, role: 'r' }));
  for (const MessageBody of ['one', 'two']) await client.send(new SendMessageCommand({ QueueUrl: 'q', MessageBody }));
  expect(bodies).toEqual(['one', 'two']);
});

test('the SDK itself makes a presigned address, without a call', async () => {
  const client = new S3Client({ ...config, endpoint: 'http://127.0.0.1:9', forcePathStyle: true });
  client.middlewareStack.use(sdkPlugin({ dispatch: () => Promise.reject(new Error('called')), role: 'r' }));
  const address = await getSignedUrl(client, new GetObjectCommand({ Bucket: 'b', Key: 'k' }));
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:9\/b\/k\?.*X-Amz-Signature=/);
});

test('an aborted call rejects immediately with an AbortError', async () => {
  const client = documents(() => new Promise(() => undefined));
  const controller = new AbortController();
  const sent = client.send(new GetCommand({ TableName: 'T', Key: {} }), { abortSignal: controller.signal });
  controller.abort();
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
});
