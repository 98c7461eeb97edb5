import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetQueueAttributesCommand, SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Call, Dispatch, Output } from '../../../../infra/embedded/call.ts';
import { type Clock, systemClock } from '../../../../infra/embedded/clock.ts';
import type { DiskOptions } from '../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../infra/embedded/disk/open-disk.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import type { QueueSpec } from '../../../../infra/embedded/sqs/queue-spec.ts';
import type { MessageCounts } from '../../../../infra/embedded/sqs/queue/queue.ts';
import { type SqsOptions, SqsService } from '../../../../infra/embedded/sqs/service.ts';
import { sqsCodec } from '../../../support/aws-wire/sqs-codec.ts';
import { noFaults, type Faults } from '../../../../infra/embedded/faults.ts';
import { jsonRequestHandler } from '../../../support/aws-wire/aws-json.ts';

const role = 'arn:aws:iam::000000000000:role/Tester';

export type NewQueue = Partial<QueueSpec>;

/** An SQS endpoint under test. */
export interface Target {
  readonly client: SQSClient;
  /** Chooses a name unless the spec has one. */
  createQueue(spec?: NewQueue): Promise<{ url: string; arn: string; name: string }>;
  countsOf(queueUrl: string): Promise<MessageCounts>;
  close(): Promise<void>;
}

const clientConfig = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'tester', secretAccessKey: 'secret' },
  useQueueUrlAsEndpoint: false,
  maxAttempts: 1,
} satisfies SQSClientConfig;

let queues = 0;
const newQueueName = ({ fifo = false }: NewQueue = {}) => `queue-${(queues += 1)}${fifo ? '.fifo' : ''}`;

export interface EmbeddedOptions {
  readonly path?: string;
  readonly clock?: Clock;
  readonly faults?: Faults;
  readonly releaseUnanswered?: boolean;
  readonly onRequest?: SqsOptions['onRequest'];
  readonly diskOptions?: Partial<DiskOptions>;
}

/** The embedded service on a disk of its own, or on the disk at `path`. */
export async function openService({
  path,
  clock = systemClock,
  faults = noFaults,
  diskOptions = {},
  ...rest
}: EmbeddedOptions = {}) {
  const directory = path ?? (await mkdtemp(join(tmpdir(), 'sqs-')));
  const disk = await openDisk(directory, { sync: 'interval', ...diskOptions });
  const service = new SqsService({
    disk,
    clock,
    faults,
    region: 'us-east-1',
    account: '000000000000',
    queueUrlBase: 'https://sqs.us-east-1.amazonaws.com',
    ...rest,
  });
  const call = async (operation: string, input: object) => service.call(operation, input as Call['input'], role);
  return {
    service,
    call,
    directory,
    async close() {
      service.close();
      await disk.close();
      if (path === undefined) await rm(directory, { recursive: true });
    },
  };
}

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** Sends a batch of one entry. Rejects with the error of the entry. */
export async function callForOne(
  call: (operation: string, input: object) => Promise<Output>,
  operation: 'DeleteMessageBatch' | 'ChangeMessageVisibilityBatch',
  { QueueUrl, ...entry }: { QueueUrl?: string; ReceiptHandle: string | undefined; VisibilityTimeout?: number },
): Promise<void> {
  const Entries = [{ Id: 'one', ...entry }];
  const output = await call(operation, QueueUrl === undefined ? { Entries } : { QueueUrl, Entries });
  const [failed] = (output['Failed'] ?? []) as { Code: string; Message: string }[];
  if (failed) throw Object.assign(new Error(failed.Message), { name: failed.Code });
}

const queuesOf = (service: SqsService): Pick<Target, 'createQueue' | 'countsOf'> => ({
  createQueue: (spec = {}) => service.createQueue({ name: newQueueName(spec), ...spec }),
  countsOf: (url) => Promise.resolve(service.countsOf(arnOfUrl(url))),
});

const arnOfUrl = (url: string) => `arn:aws:sqs:us-east-1:000000000000:${url.slice(url.lastIndexOf('/') + 1)}`;

/** Through the whole serialisation of the SDK. */
export async function serialised(options?: EmbeddedOptions): Promise<Target> {
  const { service, call, close } = await openService(options);
  const requestHandler = jsonRequestHandler(call, sqsCodec) as SQSClientConfig['requestHandler'] & object;
  return {
    client: new SQSClient({ ...clientConfig, requestHandler }),
    ...queuesOf(service),
    close,
  };
}

/** Short-circuited, as functions call the service. */
export async function native(options?: EmbeddedOptions): Promise<Target> {
  const { service, close } = await openService(options);
  const dispatch: Dispatch = ({ operation, input, role: caller }) => service.call(operation, input, caller);
  const client = new SQSClient({ ...clientConfig, md5: false });
  client.middlewareStack.use(sdkPlugin({ dispatch, role }) as Parameters<typeof client.middlewareStack.use>[0]);
  return { client, ...queuesOf(service), close };
}

/** A queue service at an address, with a way to create queues in it. */
export interface QueueServer {
  readonly port: number;
  createQueue(name: string, options: { attributes: Record<string, string> }): { queueUrl: string; queueArn: string };
  stop(): Promise<void>;
}

export function targetOf(server: QueueServer): Target {
  const client = new SQSClient({ ...clientConfig, endpoint: `http://127.0.0.1:${server.port}` });
  return {
    client,
    createQueue(spec = {}) {
      const name = spec.name ?? newQueueName(spec);
      const { queueUrl: url, queueArn: arn } = server.createQueue(name, { attributes: attributesOf(spec) });
      return Promise.resolve({ url, arn, name });
    },
    async countsOf(QueueUrl) {
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
      const { Attributes = {} } = await client.send(command);
      return {
        visible: Number(Attributes['ApproximateNumberOfMessages']),
        inFlight: Number(Attributes['ApproximateNumberOfMessagesNotVisible']),
        delayed: Number(Attributes['ApproximateNumberOfMessagesDelayed']),
      };
    },
    async close() {
      client.destroy();
      await server.stop();
    },
  };
}

function attributesOf(spec: NewQueue): Record<string, string> {
  const input = {
    VisibilityTimeout: spec.visibilityTimeout,
    MaximumMessageSize: spec.maximumMessageSize,
    RedrivePolicy: spec.redrivePolicy && JSON.stringify(spec.redrivePolicy),
  };
  const entries = Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return Object.fromEntries(entries) as Record<string, string>;
}
