import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** A plugin that sees every call of every client; `process` may carry one beside its environment. */
const pluginOf = (carrier: object): unknown => Reflect.get(carrier, Symbol.for('tributary.aws.plugin'));

interface Client {
  readonly middlewareStack: { readonly use: unknown };
}

function prepared<C extends Client>(client: C): C {
  const { middlewareStack } = client;
  const plugin = pluginOf(process);
  if (plugin !== undefined && typeof middlewareStack.use === 'function') {
    Reflect.apply(middlewareStack.use, middlewareStack, [plugin]);
  }
  return client;
}

/** Three tries; keeps connections. Credentials, region and `AWS_ENDPOINT_URL*` come from the environment. */
const connection = { maxAttempts: 3 };
const common = { ...connection, cacheMiddleware: true };

/** The document client refuses a client that caches its middleware. */
export const dynamoClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(prepared(new DynamoDBClient(connection)), {
    marshallOptions: { removeUndefinedValues: true },
  });

/** `QueueUrl` names the queue, not the endpoint; SQS checks bodies itself, so no MD5 here. */
export const sqsClient = (): SQSClient =>
  prepared(new SQSClient({ ...common, md5: false, useQueueUrlAsEndpoint: false }));

/**
 * Path-style wherever the endpoint is no host of AWS; AWS takes both for buckets whose names hold no dots. No checksum
 * that no operation requires: a presigned PUT would carry that of an empty body, and refuse every other.
 */
export const s3Client = (): S3Client =>
  prepared(new S3Client({ ...common, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' }));

export const schedulerClient = (): SchedulerClient => prepared(new SchedulerClient(common));

export const kmsClient = (): KMSClient => prepared(new KMSClient(common));

export const lambdaClient = (): LambdaClient => prepared(new LambdaClient({ ...common, maxAttempts: 1 }));
