import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import {
  GetEventSourceMappingCommand,
  InvokeCommand,
  InvokeWithResponseStreamCommand,
  LambdaClient,
  UpdateEventSourceMappingCommand,
  type InvokeWithResponseStreamResponseEvent,
} from '@aws-sdk/client-lambda';
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { ServiceQuotasClient } from '@aws-sdk/client-service-quotas';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { BatchGetCommand, DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { vi } from 'vitest';
import { Concurrency } from '../../../../infra/concurrency.ts';
import { AccountId, UserId, WorkflowId } from '../../../../shared/domain/id.ts';
import { defaultUserLimits } from '../../../../shared/domain/limits.ts';
import {
  accountKey,
  accountListKey,
  allUsersKey,
  allWorkflowsKey,
  userKey,
  workflowKey,
  workflowListKey,
} from '../../../../shared/store/table/keys.ts';

export const outputs = {
  TableName: 'the-table',
  BucketName: 'the-bucket',
  RunsQueueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/the-queue.fifo',
  Queues: JSON.stringify(
    Object.fromEntries(
      ['runs', 'deliveries', 'retries', 'timers'].map((name) => [
        name,
        {
          url: `https://sqs.eu-west-1.amazonaws.com/123456789012/the-${name}`,
          deadLettersUrl: `https://sqs.eu-west-1.amazonaws.com/123456789012/the-dead-${name}`,
          mapping: `the-mapping-${name}`,
        },
      ]),
    ),
  ),
  SchedulesDeadLettersUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/the-dead-schedules',
  BuilderFunction: 'the-builder',
  RunnerFunction: 'the-runner',
  RenewerFunction: 'the-oauth',
  ApiUrl: 'https://api.example.org/v1',
  IngressUrl: 'https://ingress.example.org',
  AccountKeyArn: 'arn:aws:kms:eu-west-1:123456789012:key/the-key',
  SchedulesRoleArn: 'arn:aws:iam::123456789012:role/the-schedules-role',
  ScheduleGroup: 'the-schedules',
  AuditLogGroup: 'the-audit',
  Concurrency: JSON.stringify(Concurrency.parse('small')),
  Limits: JSON.stringify(defaultUserLimits),
  AllowPrivateNetwork: '0',
};

export const cloudFormation = mockClient(CloudFormationClient);
const dynamo = mockClient(DynamoDBDocumentClient);
const s3 = mockClient(S3Client);
export const sqs = mockClient(SQSClient);
export const kms = mockClient(KMSClient);
export const lambda = mockClient(LambdaClient);
export const cloudWatch = mockClient(CloudWatchClient);
export const cloudWatchLogs = mockClient(CloudWatchLogsClient);
export const scheduler = mockClient(SchedulerClient);
export const serviceQuotas = mockClient(ServiceQuotasClient);

export const ann = UserId.parse('u_ann');
export const slack = AccountId.parse('apn_slack');
export const deadLetter = 'the-dead-letter';
export const flow = WorkflowId.parse('p_flow');

type Item = Record<string, unknown>;
let items: Item[];
/** Adds items to the table, in place of those with their keys. */
export function store(...more: readonly Item[]): void {
  items = [...items.filter((item) => !more.some((each) => sameKey(item, each))), ...more];
}

const sameKey = (a: Item, b: Item) => a['pk'] === b['pk'] && a['sk'] === b['sk'];

/** An account of AWS with one stack, one user and one workflow. */
export function resetAws(): void {
  const others = [cloudFormation, cloudWatch, cloudWatchLogs, serviceQuotas];
  for (const mock of [...others, dynamo, s3, sqs, kms, lambda, scheduler]) mock.reset();
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'operator');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'of this account');
  // Nothing listens there.
  vi.stubEnv('AWS_ENDPOINT_URL_STS', 'http://127.0.0.1:1');
  respondWith(outputs);
  items = [
    { ...userKey(ann), id: ann, username: 'ann', email: 'a@b.c', plan: 'free', keyHash: 'k', createdAt: 0 },
    allUsersKey(ann),
    {
      ...workflowKey(flow),
      id: flow,
      ownerId: ann,
      name: 'flow',
      target: 'https://example.org',
      credentialHash: 'c',
      secret: 'whsec_c2VjcmV0',
      createdAt: 0,
    },
    allWorkflowsKey(flow),
    workflowListKey(ann, flow),
    {
      ...accountKey(slack),
      id: slack,
      ownerId: ann,
      app: 'slack',
      fieldNames: ['token'],
      sealed: { dataKey: '', nonce: '', text: '' },
      createdAt: 0,
    },
    accountListKey(ann, slack),
  ];
  // Just enough of a table: reads find what is there; whatever is written is gone.
  dynamo.onAnyCommand().resolves({ Attributes: {} });
  dynamo.on(GetCommand).callsFake(({ Key }: { Key: Item }) => ({ Item: items.find((item) => sameKey(item, Key)) }));
  dynamo.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }: { ExpressionAttributeValues: Item }) => ({
    Items: items.filter(({ pk, sk }) => pk === values[':pk'] && String(sk).startsWith(String(values[':prefix'] ?? ''))),
  }));
  dynamo
    .on(BatchGetCommand)
    .callsFake(({ RequestItems: requested }: { RequestItems: Record<string, { Keys: Item[] }> }) => ({
      Responses: Object.fromEntries(
        Object.entries(requested).map(([table, { Keys }]) => [
          table,
          items.filter((item) => Keys.some((key) => sameKey(item, key))),
        ]),
      ),
    }));
  kms.on(GenerateDataKeyCommand).resolves({ Plaintext: new Uint8Array(32), CiphertextBlob: new Uint8Array(64) });
  sqs.on(SendMessageBatchCommand).resolves({ Failed: [] });
  sqs.on(DeleteMessageBatchCommand).resolves({ Failed: [] });
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({ Failed: [] });
  sqs.on(ReceiveMessageCommand).resolves({});
  const Attributes = { SentTimestamp: '0', MessageGroupId: 'g', SequenceNumber: '1' };
  sqs
    .on(ReceiveMessageCommand, { QueueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/the-dead-runs' })
    .resolvesOnce({ Messages: [{ MessageId: deadLetter, ReceiptHandle: 'h', Body: '{}', Attributes }] })
    .resolves({});
  s3.onAnyCommand().resolves({});
  s3.on(GetObjectCommand).rejects(Object.assign(new Error('No such key'), { name: 'NoSuchKey' }));
  lambda.on(InvokeCommand).resolves({ Payload: bytes({ ok: true, manifest, attempt: '0'.repeat(32) }) as never });
  lambda.on(GetEventSourceMappingCommand).resolves({ State: 'Enabled' });
  lambda.on(UpdateEventSourceMappingCommand).callsFake(() => {
    lambda.on(GetEventSourceMappingCommand).resolves({ State: 'Disabled' });
  });
  lambda.on(InvokeWithResponseStreamCommand).resolves({ EventStream: described() });
}

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const manifest = {
  bundleHash: 'b',
  code: 'export default {}',
  codeHash: 'c',
  contentHash: 'd',
  packages: [],
  bundleBytes: 1,
};

async function* described(): AsyncGenerator<InvokeWithResponseStreamResponseEvent> {
  const description = {
    name: 'Echo',
    key: 'echo',
    props: [],
    hasRun: true,
    hooks: [],
    hasAdditionalProps: false,
  };
  const line = { k: 'described', job: 'describe', description };
  yield await Promise.resolve({ PayloadChunk: { Payload: bytes(line) } });
}

export function respondWith(outputs: Record<string, string>): void {
  const pairs = Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));
  const stack = {
    StackName: 'Ours',
    CreationTime: new Date(0),
    StackStatus: 'CREATE_COMPLETE' as const,
    Outputs: pairs,
  };
  cloudFormation.on(DescribeStacksCommand).resolves({ Stacks: [stack] });
}

const NAMING = new Set(['TableName', 'Bucket', 'QueueUrl', 'FunctionName', 'KeyId', 'UUID']);

/** All resources in an input, at any depth. */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([member, inner]) => {
    if (NAMING.has(member)) return [String(inner)];
    if (member === 'RequestItems') return Object.keys(inner as object);
    if (member === 'CopySource') return [String(inner).split('/')[0] ?? ''];
    return namesIn(inner);
  });
}

/** Each different call, with its operation and resource. */
export function calls(): string[] {
  const made = [...dynamo.calls(), ...s3.calls(), ...sqs.calls(), ...kms.calls(), ...lambda.calls()];
  const named = made.flatMap(({ args: [command] }) => {
    const operation = command.constructor.name.replace(/Command$/, '');
    return namesIn(command.input).map((name) => `${operation} ${name}`);
  });
  return [...new Set(named)].sort();
}
