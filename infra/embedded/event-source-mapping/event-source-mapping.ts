import type { SQSEvent } from 'aws-lambda';
import { type RequiredPermission, type Dispatch } from '../call.ts';
import { type Clock } from '../clock.ts';
import { type QueueWatch } from '../sqs/service.ts';
import { failedMessages } from './batch-response.ts';
import { BatchPace } from './batch-pace.ts';
import { GrowingBatches } from './growing-batches.ts';
import { MappingError, type MappingSpec } from './mapping-spec.ts';
import { deleteMessages, receiveBatch } from './queue-calls.ts';
import { fitEvent, type ReceivedMessage } from './sqs-event.ts';
import type { ThreadLoad } from './thread-load.ts';

export interface EventSourceMappingOptions {
  readonly id: string;
  readonly spec: MappingSpec;
  readonly queueUrl: string;
  /** ARN of the function's role: the mapping receives and deletes with it. */
  readonly role: string;
  readonly dispatch: Dispatch;
  readonly allows: (role: string, permission: RequiredPermission) => boolean;
  /** The queue as this process sees it, so that nothing is polled. */
  readonly queue: QueueWatch;
  /** Resolves with the function's response; rejects when it failed, ran out of time or was throttled. */
  readonly invoke: (functionName: string, event: SQSEvent) => Promise<unknown>;
  readonly clock: Clock;
  /** With the load of this thread, batches may have more messages than on AWS ({@link GrowingBatches}). */
  readonly threadLoad?: Pick<ThreadLoad, 'isFull'>;
  /** While false, nothing is received. Default: always true. */
  readonly mayReceive?: () => boolean;
  /** Called for batches that failed as a whole and for refused calls. */
  readonly onFailure?: (failure: { readonly mapping: string; readonly error: unknown }) => void;
}

export interface EventSourceMapping {
  /** Throws {@link MappingError} when the role lacks what a mapping needs. */
  start(): void;
  /** Stops receiving, returns messages without an invocation to the queue, and waits for running invocations. */
  stop(deadlineMs: number): Promise<void>;
  readonly running: number;
  readonly queueName: string;
  /** False before the start, after the stop, and while receives are refused or fail. */
  readonly isConsuming: boolean;
}

const needed = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** After a receive that was refused or failed. */
const PAUSE_MS = 1000;

export function eventSourceMapping(options: EventSourceMappingOptions): EventSourceMapping {
  const { id, spec, queueUrl, role, dispatch, queue, clock } = options;
  const target = { dispatch, role, queueUrl };
  const growing = options.threadLoad ? new GrowingBatches() : undefined;
  const pace = new BatchPace({
    batchSize: spec.batchSize,
    isFifo: queueUrl.endsWith('.fifo'),
    threadLoad: options.threadLoad,
  });
  const busy = new Set<Promise<void>>();
  let invocations = 0;
  let isStopped = true;
  let isScheduled = false;
  let endPause: (() => void) | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let unwatch: (() => void) | undefined;

  function fail(error: unknown): void {
    options.onFailure?.({ mapping: id, error });
  }

  /** Many messages may arrive in one tick of the event loop; one look at its end sees all of them. */
  function lookSoon(): void {
    if (isScheduled || isStopped || endPause) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      look({ isGathered: false });
    });
  }

  function look({ isGathered }: { isGathered: boolean }): void {
    if (!isStopped && options.mayReceive?.() === false) pause();
    let mayGather = !isGathered;
    while (!isStopped && !endPause && busy.size < spec.maximumConcurrency) {
      const wanted = mayGather ? pace.gathering(busy.size) : undefined;
      const enough = wanted?.messages ?? spec.batchSize;
      const waiting = queue.receivable(spec.queueArn, enough);
      if (waiting === 0) return;
      if (wanted && waiting < enough) {
        // A real timer: this shapes batches, and no promise about time depends on it.
        gathering ??= setTimeout(() => {
          gathering = undefined;
          look({ isGathered: true });
        }, wanted.ms);
        return;
      }
      begin();
      mayGather = true;
      // The same ones still wait: their receive is under way and ends in another look.
      if (waiting < enough && queue.receivable(spec.queueArn, enough) === waiting) return;
    }
  }

  function begin(): void {
    clearTimeout(gathering);
    gathering = undefined;
    pace.started();
    const work = handOver()
      .catch(fail)
      .finally(() => {
        busy.delete(work);
        lookSoon();
      });
    busy.add(work);
  }

  async function handOver(): Promise<void> {
    const received = await receive().catch((error: unknown) => {
      pause();
      throw error;
    });
    if (received.length === 0) return;
    if (isStopped) {
      await giveBack(received);
      return;
    }
    const event = fitEvent(received, spec.queueArn);
    const messages = received.slice(0, event.Records.length);
    if (messages.length < received.length) await giveBack(received.slice(messages.length));
    invocations += 1;
    try {
      await invokeAndDelete(event, messages);
    } finally {
      invocations -= 1;
    }
  }

  function pause(): void {
    endPause ??= clock.wakeAt(clock.now() + PAUSE_MS, () => {
      endPause = undefined;
      lookSoon();
    });
  }

  async function invokeAndDelete(event: SQSEvent, messages: readonly ReceivedMessage[]): Promise<void> {
    const ids = messages.map(({ MessageId }) => MessageId);
    const begunAt = performance.now();
    let failed: ReadonlySet<string> = new Set(ids);
    try {
      const response = await options.invoke(spec.functionName, event);
      failed = spec.reportsItemFailures ? failedMessages(response, ids) : new Set();
    } finally {
      growing?.ended(messages, { ms: performance.now() - begunAt, hasFailed: failed.size > 0 });
    }
    await deleteMessages(
      target,
      messages.filter(({ MessageId }) => !failed.has(MessageId)),
    );
  }

  async function receive(): Promise<ReceivedMessage[]> {
    try {
      return await receiveBatch(target, spec.batchSize, growing?.growth);
    } finally {
      lookSoon();
    }
  }

  function giveBack(messages: readonly ReceivedMessage[]): Promise<void> {
    return queue.giveBack(
      spec.queueArn,
      messages.map(({ ReceiptHandle }) => ReceiptHandle),
    );
  }

  return {
    get running() {
      return invocations;
    },
    queueName: spec.queueArn.slice(spec.queueArn.lastIndexOf(':') + 1),
    get isConsuming() {
      return !isStopped && !endPause && options.mayReceive?.() !== false;
    },

    start() {
      for (const action of needed) {
        if (!options.allows(role, { action, resource: spec.queueArn })) {
          throw new MappingError(
            `The event-source mapping ${id} needs ${action} on ${spec.queueArn}, which ${role} is not allowed.`,
          );
        }
      }
      isStopped = false;
      unwatch = queue.whenVisible(spec.queueArn, lookSoon);
      lookSoon();
    },

    async stop(deadlineMs) {
      isStopped = true;
      unwatch?.();
      clearTimeout(gathering);
      gathering = undefined;
      endPause?.();
      endPause = undefined;
      if (busy.size === 0) return;
      let cancel: (() => void) | undefined;
      const deadline = new Promise<void>((resolve) => {
        cancel = clock.wakeAt(clock.now() + deadlineMs, resolve);
      });
      await Promise.race([Promise.all(busy), deadline]);
      cancel?.();
    },
  };
}
