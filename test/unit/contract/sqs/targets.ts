import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SQSClient, type SQSClientConfig } from '@aws-sdk/client-sqs';
import type { Call, Dispatch } from '../../../../infra/embedded/call.ts';
import { type Clock, systemClock } from '../../../../infra/embedded/clock.ts';
import { openDisk } from '../../../../infra/embedded/disk.ts';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import type { QueueSpec } from '../../../../infra/embedded/sqs/queue-spec.ts';
import { sqs, type SqsOptions, type SqsService } from '../../../../infra/embedded/sqs/service.ts';
import { sqsCodec } from '../../../../infra/embedded/sqs/wire.ts';
import { fairWeather, type Weather } from '../../../../infra/embedded/weather.ts';
import { jsonRequestHandler } from '../../../../infra/embedded/wire/aws-json.ts';

export const role = 'arn:aws:iam::000000000000:role/Tester';

export type NewQueue = Partial<QueueSpec>;

/** Something that answers as SQS: what a contract test talks to. */
export interface Target {
  readonly client: SQSClient;
  /** Its own name unless one is given. */
  createQueue(spec?: NewQueue): Promise<{ url: string; arn: string; name: string }>;
  close(): Promise<void>;
}

const clientConfig = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'tester', secretAccessKey: 'secret' },
  useQueueUrlAsEndpoint: false,
  maxAttempts: 1,
} satisfies SQSClientConfig;

let queues = 0;
export const newQueueName = ({ fifo = false }: NewQueue = {}) =>
  `queue-${(queues += 1)}${fifo ? '.fifo' : ''}`;

export interface EmbeddedOptions {
  readonly path?: string;
  readonly clock?: Clock;
  readonly weather?: Weather;
  readonly releaseUnanswered?: boolean;
  readonly onRequest?: SqsOptions['onRequest'];
}

/** The embedded service on a disk of its own, or on the one at `path`. */
export async function openService({
  path,
  clock = systemClock,
  weather = fairWeather,
  ...rest
}: EmbeddedOptions = {}) {
  const directory = path ?? (await mkdtemp(join(tmpdir(), 'sqs-')));
  const disk = await openDisk(directory, { sync: 'interval' });
  const service = await sqs({
    disk,
    clock,
    weather,
    region: 'us-east-1',
    account: '000000000000',
    queueUrlBase: 'https://sqs.us-east-1.amazonaws.com',
    ...rest,
  });
  const call = (operation: string, input: Call['input']) => service.call(operation, input, role);
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

const createQueueOn =
  (service: SqsService) =>
  (spec: NewQueue = {}) =>
    service.createQueue({ name: newQueueName(spec), ...spec });

/** Through the SDK's whole serialisation. */
export async function serialised(options?: EmbeddedOptions): Promise<Target> {
  const { service, call, close } = await openService(options);
  const requestHandler = jsonRequestHandler(call, sqsCodec) as SQSClientConfig['requestHandler'] & object;
  return {
    client: new SQSClient({ ...clientConfig, requestHandler }),
    createQueue: createQueueOn(service),
    close,
  };
}

/** Short-circuited, as functions call it. */
export async function native(options?: EmbeddedOptions): Promise<Target> {
  const { service, close } = await openService(options);
  const dispatch: Dispatch = ({ operation, input, role: caller }) => service.call(operation, input, caller);
  const client = new SQSClient({ ...clientConfig, md5: false });
  client.middlewareStack.use(
    sdkPlugin({ dispatch, role }) as Parameters<typeof client.middlewareStack.use>[0],
  );
  return { client, createQueue: createQueueOn(service), close };
}

/** The independent oracle for standard queues: fauxqs. */
export async function oracle(): Promise<Target> {
  const { startFauxqs } = await import('fauxqs');
  const server = await startFauxqs({ port: 0, logger: false });
  const client = new SQSClient({ ...clientConfig, endpoint: `http://127.0.0.1:${server.port}` });
  return {
    client,
    createQueue(spec = {}) {
      const name = spec.name ?? newQueueName(spec);
      const { queueUrl: url, queueArn: arn } = server.createQueue(name, { attributes: attributesOf(spec) });
      return Promise.resolve({ url, arn, name });
    },
    async close() {
      client.destroy();
      await server.stop();
    },
  };
}

function attributesOf(spec: NewQueue): Record<string, string> {
  const given = {
    VisibilityTimeout: spec.visibilityTimeout,
    DelaySeconds: spec.delaySeconds,
    MaximumMessageSize: spec.maximumMessageSize,
    RedrivePolicy: spec.redrivePolicy && JSON.stringify(spec.redrivePolicy),
  };
  const entries = Object.entries(given).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return Object.fromEntries(entries) as Record<string, string>;
}
