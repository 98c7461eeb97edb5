import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { withPayloadValues } from './payload-value.ts';

/** An SDK plugin for all clients. The host of the functions may set it on `process`; it sees every call. */
const pluginOf = (carrier: object): unknown => Reflect.get(carrier, Symbol.for('tributary.aws.plugin'));

interface Client {
  readonly middlewareStack: { readonly use: unknown };
}

/** Applies the plugin, if there is one, to a client. */
export function withPlugin<C extends Client>(client: C): C {
  const { middlewareStack } = client;
  const plugin = pluginOf(process);
  if (plugin !== undefined && typeof middlewareStack.use === 'function') {
    Reflect.apply(middlewareStack.use, middlewareStack, [plugin]);
  }
  return client;
}

/** Three attempts. The SDK reads credentials, region and `AWS_ENDPOINT_URL*` from the environment. */
const connection = { maxAttempts: 3 };
const common = { ...connection, cacheMiddleware: true };

/** Without `cacheMiddleware`, which the document client does not support. */
export const dynamoClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(withPlugin(new DynamoDBClient(connection)), {
    marshallOptions: { removeUndefinedValues: true },
  });

/**
 * `QueueUrl` is not the endpoint, so that `AWS_ENDPOINT_URL` works. No MD5 of bodies, which costs CPU for every
 * message.
 */
export const sqsClient = (): SQSClient =>
  withPlugin(new SQSClient({ ...common, md5: false, useQueueUrlAsEndpoint: false }));

/**
 * Path-style addresses, because other endpoints than AWS need them. No optional checksums: a presigned PUT would be
 * signed for an empty body's checksum and refuse every other body.
 */
export const s3Client = (): S3Client =>
  withPlugin(new S3Client({ ...common, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' }));

/**
 * Five attempts, which wait for up to 16 s in all when Scheduler asks for fewer calls: a bulk deployment of sources
 * with timers goes on at the rate of the account. A source whose schedule is refused runs its hooks again.
 */
export const schedulerClient = (): SchedulerClient => withPlugin(new SchedulerClient({ ...common, maxAttempts: 5 }));

export const kmsClient = (): KMSClient => withPlugin(new KMSClient(common));

export const lambdaClient = (): LambdaClient =>
  withPlugin(withPayloadValues(new LambdaClient({ ...common, maxAttempts: 1 })));
