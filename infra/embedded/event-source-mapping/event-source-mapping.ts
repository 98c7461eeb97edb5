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
  readonly threadLoad?: Pick<ThreadLoad, 'isFull' | 'isBusy'>;
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
  readonly queueName: string;
  /** False before the start, after the stop, and while receives are refused or fail. */
  readonly isConsuming: boolean;
}

const needed = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** After a receive that was refused or failed. */
const PAUSE_MS = 1000;

export const eventSourceMapping = (options: EventSourceMappingOptions): EventSourceMapping => new QueueMapping(options);

class QueueMapping implements EventSourceMapping {
  readonly queueName: string;
  readonly #options: EventSourceMappingOptions;
  readonly #target: Parameters<typeof receiveBatch>[0];
  readonly #growing: GrowingBatches | undefined;
  readonly #pace: BatchPace;
  readonly #busy = new Set<Promise<void>>();
  #isStopped = true;
  #isScheduled = false;
  #endPause: (() => void) | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;

  constructor(options: EventSourceMappingOptions) {
    const { spec, queueUrl, role, dispatch, threadLoad } = options;
    this.queueName = spec.queueArn.slice(spec.queueArn.lastIndexOf(':') + 1);
    this.#options = options;
    this.#target = { dispatch, role, queueUrl };
    this.#growing = threadLoad ? new GrowingBatches() : undefined;
    this.#pace = new BatchPace({ batchSize: spec.batchSize, isFifo: queueUrl.endsWith('.fifo'), threadLoad });
  }

  get isConsuming(): boolean {
    return !this.#isStopped && !this.#endPause && this.#options.mayReceive?.() !== false;
  }

  start(): void {
    const { id, spec, role, queue, allows } = this.#options;
    for (const action of needed) {
      if (!allows(role, { action, resource: spec.queueArn })) {
        throw new MappingError(
          `The event-source mapping ${id} needs ${action} on ${spec.queueArn}, which ${role} is not allowed.`,
        );
      }
    }
    this.#isStopped = false;
    this.#unwatch = queue.whenVisible(spec.queueArn, this.#lookSoon);
    this.#lookSoon();
  }

  async stop(deadlineMs: number): Promise<void> {
    const { clock } = this.#options;
    this.#isStopped = true;
    this.#unwatch?.();
    this.#endGathering();
    this.#endPause?.();
    this.#endPause = undefined;
    if (this.#busy.size === 0) return;
    let cancel: (() => void) | undefined;
    const deadline = new Promise<void>((resolve) => {
      cancel = clock.wakeAt(clock.now() + deadlineMs, resolve);
    });
    await Promise.race([Promise.all(this.#busy), deadline]);
    cancel?.();
  }

  /** One look at the end of a tick sees all its messages. Without work, it comes before a message is written. */
  readonly #lookSoon = (): void => {
    if (this.#isScheduled || this.#isStopped || this.#endPause) return;
    this.#isScheduled = true;
    (this.#busy.size > 0 ? setImmediate : queueMicrotask)(() => {
      this.#isScheduled = false;
      this.#look({ isGathered: false });
    });
  };

  #look({ isGathered }: { isGathered: boolean }): void {
    const { spec, queue, mayReceive } = this.#options;
    if (!this.#isStopped && mayReceive?.() === false) this.#pause();
    let mayGather = !isGathered;
    while (!this.#isStopped && !this.#endPause && this.#busy.size < spec.maximumConcurrency) {
      const wanted = mayGather ? this.#pace.gathering(this.#busy.size) : undefined;
      const enough = wanted?.messages ?? spec.batchSize;
      const waiting = queue.receivable(spec.queueArn, enough);
      if (waiting === 0) return;
      if (wanted && waiting < enough) {
        // A real timer: this shapes batches, and no promise about time depends on it.
        this.#gathering ??= setTimeout(() => {
          this.#gathering = undefined;
          this.#look({ isGathered: true });
        }, wanted.ms);
        return;
      }
      this.#begin();
      mayGather = true;
      // The same ones still wait: their receive is under way and ends in another look.
      if (waiting < enough && queue.receivable(spec.queueArn, enough) === waiting) return;
    }
  }

  #endGathering(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
  }

  #begin(): void {
    this.#endGathering();
    this.#pace.started();
    const work = this.#handOver()
      .catch((error: unknown) => this.#options.onFailure?.({ mapping: this.#options.id, error }))
      .finally(() => {
        this.#busy.delete(work);
        this.#lookSoon();
      });
    this.#busy.add(work);
  }

  async #handOver(): Promise<void> {
    const received = await this.#receive().catch((error: unknown) => {
      this.#pause();
      throw error;
    });
    if (received.length === 0) return;
    if (this.#isStopped) return this.#giveBack(received);
    const event = fitEvent(received, this.#options.spec.queueArn);
    const messages = received.slice(0, event.Records.length);
    if (messages.length < received.length) await this.#giveBack(received.slice(messages.length));
    await this.#invokeAndDelete(event, messages);
  }

  #pause(): void {
    const { clock } = this.#options;
    this.#endPause ??= clock.wakeAt(clock.now() + PAUSE_MS, () => {
      this.#endPause = undefined;
      this.#lookSoon();
    });
  }

  async #invokeAndDelete(event: SQSEvent, messages: readonly ReceivedMessage[]): Promise<void> {
    const { spec, invoke } = this.#options;
    const ids = messages.map(({ MessageId }) => MessageId);
    const startedAt = performance.now();
    let failed: ReadonlySet<string> = new Set(ids);
    try {
      const response = await invoke(spec.functionName, event);
      failed = spec.reportsItemFailures ? failedMessages(response, ids) : new Set();
    } finally {
      this.#growing?.ended(messages, { ms: performance.now() - startedAt, hasFailed: failed.size > 0 });
    }
    await deleteMessages(
      this.#target,
      messages.filter(({ MessageId }) => !failed.has(MessageId)),
    );
  }

  async #receive(): Promise<ReceivedMessage[]> {
    try {
      return await receiveBatch(this.#target, this.#options.spec.batchSize, this.#growing?.growth);
    } finally {
      this.#lookSoon();
    }
  }

  #giveBack(messages: readonly ReceivedMessage[]): Promise<void> {
    return this.#options.queue.giveBack(
      this.#options.spec.queueArn,
      messages.map(({ ReceiptHandle }) => ReceiptHandle),
    );
  }
}
