import type { SQSEvent } from 'aws-lambda';
import type { Dispatch, RequiredPermission } from '../../../../../infra/embedded/call.ts';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import {
  eventSourceMapping,
  type EventSourceMappingOptions,
} from '../../../../../infra/embedded/event-source-mapping/event-source-mapping.ts';
import { mappingSpec } from '../../../../../infra/embedded/event-source-mapping/mapping-spec.ts';
import type { Faults } from '../../../../../infra/embedded/faults.ts';
import type { MessageCounts } from '../../../../../infra/embedded/sqs/queue/queue.ts';
import { type NewQueue, openService } from '../../../contract/sqs/targets.ts';

export const functionRole = 'arn:aws:iam::000000000000:role/Worker';

interface MappedQueueOptions {
  readonly queue?: NewQueue;
  readonly properties?: object;
  readonly faults?: Faults;
  readonly threadLoad?: EventSourceMappingOptions['threadLoad'];
  readonly allows?: (role: string, permission: RequiredPermission) => boolean;
  /** Wraps the way to SQS. */
  readonly dispatch?: (dispatch: Dispatch) => Dispatch;
  readonly worker: (event: SQSEvent, queue: MappedQueue) => unknown;
}

interface Invocation {
  readonly event: SQSEvent;
  readonly bodies: readonly string[];
}

export interface MappedQueue {
  readonly clock: FakeClock;
  readonly arn: string;
  readonly invocations: Invocation[];
  readonly requests: { operation: string; entries: number; role: string }[];
  readonly failures: unknown[];
  /** Highest number of concurrent invocations. */
  maxConcurrent: number;
  start(): void;
  stop(deadlineMs?: number): Promise<void>;
  send(...bodies: readonly string[]): Promise<void>;
  sendTo(group: string, ...bodies: readonly string[]): Promise<void>;
  call(operation: string, input: object): Promise<Record<string, unknown>>;
  counts(): Omit<MessageCounts, 'delayed'>;
  close(): Promise<void>;
}

/** A queue and a mapping that hands its messages to `worker`. */
async function mappedQueue(options: MappedQueueOptions): Promise<MappedQueue> {
  const { queue: spec = {}, properties = {}, faults, threadLoad, allows = () => true, worker } = options;
  const clock = new FakeClock();
  const requests: MappedQueue['requests'] = [];
  let caller = '';
  const open = await openService({
    clock,
    ...(faults && { faults }),
    onRequest: (_queue, operation, entries) => requests.push({ operation, entries, role: caller }),
  });
  const name = spec.fifo ? 'work.fifo' : 'work';
  const { url: queueUrl, arn } = await open.service.createQueue({ name, visibilityTimeout: 30, ...spec });
  const dispatch: Dispatch = ({ operation, input, role }) => {
    caller = role;
    return open.service.call(operation, input, role);
  };
  let running = 0;
  const mapping = eventSourceMapping({
    id: 'WorkFeed',
    spec: mappingSpec({
      EventSourceArn: arn,
      FunctionName: 'worker',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
      ...properties,
    }),
    queueUrl,
    role: functionRole,
    dispatch: options.dispatch?.(dispatch) ?? dispatch,
    ...(threadLoad && { threadLoad }),
    allows,
    queue: open.service,
    async invoke(functionName, event) {
      if (functionName !== 'worker') throw new Error(`Who is ${functionName}?`);
      running += 1;
      mapped.maxConcurrent = Math.max(mapped.maxConcurrent, running);
      mapped.invocations.push({ event, bodies: event.Records.map(({ body }) => body) });
      try {
        return await worker(event, mapped);
      } finally {
        running -= 1;
      }
    },
    clock,
    onFailure: ({ error }) => mapped.failures.push(error),
  });
  const call = (operation: string, input: object) => {
    caller = 'arn:aws:iam::000000000000:role/Sender';
    return open.service.call(operation, { QueueUrl: queueUrl, ...input }, caller);
  };
  let sent = 0;
  const send = async (bodies: readonly string[], group?: string) => {
    for (let start = 0; start < bodies.length; start += 10) {
      const Entries = bodies.slice(start, start + 10).map((MessageBody, index) => ({
        Id: String(index),
        MessageBody,
        ...(group !== undefined && { MessageGroupId: group, MessageDeduplicationId: String((sent += 1)) }),
      }));
      await call('SendMessageBatch', { Entries });
    }
  };
  const mapped: MappedQueue = {
    clock,
    arn,
    invocations: [],
    requests,
    failures: [],
    maxConcurrent: 0,
    start: () => {
      mapping.start();
    },
    stop: (deadlineMs = 5000) => mapping.stop(deadlineMs),
    send: (...bodies) => send(bodies),
    sendTo: (group, ...bodies) => send(bodies, group),
    call,
    counts() {
      const { visible, inFlight } = open.service.countsOf(arn);
      return { visible, inFlight };
    },
    async close() {
      await mapping.stop(0).catch(() => undefined);
      await open.close();
    },
  };
  return mapped;
}

const opened: MappedQueue[] = [];
/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const queue of opened.splice(0)) await queue.close();
}

export async function mapped(options: MappedQueueOptions): Promise<MappedQueue> {
  const queue = await mappedQueue(options);
  opened.push(queue);
  return queue;
}

/** Something that the test lets happen when it wants. */
export function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
