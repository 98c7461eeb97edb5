import { AwsError, type EmbeddedService, type Input, type Output, type RequiredPermission } from '../call.ts';
import type { Clock } from '../clock.ts';
import type { Disk } from '../disk/disk.ts';
import type { Faults } from '../faults.ts';
import { operationNamed, type OperationTable } from '../operation.ts';
import { BodyBudget } from './queue/body-budget.ts';
import type { OnRequest, SqsContext } from './context.ts';
import { unknownSqsOperation } from './errors.ts';
import { MAX_IN_FLIGHT } from './limits.ts';
import { changeMessageVisibilityBatch } from './operations/change-message-visibility-batch.ts';
import { deleteMessageBatch } from './operations/delete-message-batch.ts';
import { getQueueAttributes } from './operations/get-queue-attributes.ts';
import { listMessageMoveTasks } from './operations/list-message-move-tasks.ts';
import { receiveMessage } from './operations/receive-message.ts';
import { sendMessage } from './operations/send-message.ts';
import { sendMessageBatch } from './operations/send-message-batch.ts';
import { startMessageMoveTask } from './operations/start-message-move-task.ts';
import { queuePermission, sourcePermission } from './permissions.ts';
import { QueueRegistry } from './queue-registry.ts';
import { queueDefaults, type QueueSpec } from './queue-spec.ts';
import { type MessageCounts, Queue } from './queue/queue.ts';
import { readReceipt } from './receipt-handle.ts';
import { checkRedrive } from './redrive-policy.ts';

export const sqsOperations = {
  ChangeMessageVisibilityBatch: {
    handle: changeMessageVisibilityBatch,
    requires: queuePermission('sqs:ChangeMessageVisibility'),
  },
  DeleteMessageBatch: { handle: deleteMessageBatch, requires: queuePermission('sqs:DeleteMessage') },
  GetQueueAttributes: { handle: getQueueAttributes, requires: queuePermission('sqs:GetQueueAttributes') },
  ListMessageMoveTasks: { handle: listMessageMoveTasks, requires: sourcePermission('sqs:ListMessageMoveTasks') },
  ReceiveMessage: { handle: receiveMessage, requires: queuePermission('sqs:ReceiveMessage') },
  SendMessage: { handle: sendMessage, requires: queuePermission('sqs:SendMessage') },
  SendMessageBatch: { handle: sendMessageBatch, requires: queuePermission('sqs:SendMessage') },
  StartMessageMoveTask: { handle: startMessageMoveTask, requires: sourcePermission('sqs:StartMessageMoveTask') },
} satisfies OperationTable<SqsContext>;

export interface SqsOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly region: string;
  readonly account: string;
  /** Without trailing slash; the URL of a queue is `<base>/<account>/<name>`. */
  readonly queueUrlBase: string;
  /**
   * Messages in flight become visible at once after a restart, because their consumers ended with the process.
   * Otherwise they wait for their visibility timeout, as on AWS.
   */
  readonly releaseUnanswered?: boolean | undefined;
  readonly onRequest?: OnRequest | undefined;
}

/** A view of the queues for pollers in this process, without requests. */
export interface QueueWatch {
  /**
   * Calls back whenever messages may have become receivable; the callback must be short. The returned function ends the
   * watch.
   */
  whenVisible(queueArn: string, callback: () => void): () => void;
  /** Number of messages that one receive of at most `max` would return now. */
  receivable(queueArn: string, max: number): number;
  /** Makes messages visible again that were received but not processed. */
  giveBack(queueArn: string, receiptHandles: readonly string[]): Promise<void>;
}

const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** The queues of the template, in memory and on disk. */
export class SqsService implements EmbeddedService, QueueWatch {
  readonly id = 'SQS';
  readonly #options: SqsOptions;
  readonly #queues: QueueRegistry;
  readonly #context: SqsContext;
  readonly #bodies = new BodyBudget();
  /** Ends the wait of each waiting receive. */
  readonly #waiting = new Set<() => void>();

  constructor(options: SqsOptions) {
    const { clock, disk, faults, onRequest } = options;
    this.#options = options;
    this.#queues = new QueueRegistry(options);
    this.#context = {
      clock,
      disk,
      faults,
      queues: this.#queues,
      onRequest,
      moves: new Map(),
      waitForMessages: (queue, until) => this.#waitForMessages(queue, until),
    };
  }

  requiredPermissions(operation: string, input: Input): readonly RequiredPermission[] {
    return operationNamed(sqsOperations, operation, unknownSqsOperation).requires(input, this.#context);
  }

  call(operation: string, input: Input, role: string): Promise<Output> {
    return operationNamed(sqsOperations, operation, unknownSqsOperation).handle(input, this.#context, role);
  }

  async createQueue(
    settings: Pick<QueueSpec, 'name'> & Partial<QueueSpec>,
  ): Promise<{ url: string; arn: string; name: string }> {
    const { disk, clock, faults, account, queueUrlBase, releaseUnanswered = false } = this.#options;
    const spec: QueueSpec = { ...queueDefaults, ...settings };
    const { name } = spec;
    checkQueueName(spec);
    if (this.#queues.has(name)) throw new AwsError('QueueNameExists', `The queue ${name} already exists.`);
    const queue = new Queue({
      spec,
      arn: this.#queues.arnOf(name),
      disk,
      clock,
      faults,
      bodies: this.#bodies,
      queueByArn: (arn) => this.#queues.findByArn(arn),
    });
    this.#queues.add(queue);
    checkRedrive([...this.#queues.all()]);
    await queue.load({ releaseUnanswered });
    return { url: `${queueUrlBase}/${account}/${name}`, arn: queue.arn, name };
  }

  whenVisible(queueArn: string, callback: () => void): () => void {
    return this.#queues.byArn(queueArn).watch(callback);
  }

  receivable(queueArn: string, max: number): number {
    const queue = this.#queues.byArn(queueArn);
    return Math.min(queue.available(max), Math.max(MAX_IN_FLIGHT - queue.inFlight, 0));
  }

  async giveBack(queueArn: string, receiptHandles: readonly string[]): Promise<void> {
    const queue = this.#queues.byArn(queueArn);
    for (const handle of receiptHandles) {
      const { message, isNewest } = readReceipt(queue, handle);
      if (isNewest && message?.state === 'inFlight') queue.changeVisibility(message, 0);
    }
    await this.#options.disk.commit();
  }

  /** The counts of GetQueueAttributes. */
  countsOf(queueArn: string): MessageCounts {
    return this.#queues.byArn(queueArn).counts;
  }

  /** The age that the metric of the oldest message has, ms; undefined without a message. */
  oldestAgeOf(queueArn: string): number | undefined {
    const sentAt = this.#queues.byArn(queueArn).oldestSentAt;
    return sentAt === undefined ? undefined : this.#options.clock.now() - sentAt;
  }

  /** Ends all waiting receives. Stored messages stay. */
  close(): void {
    for (const end of [...this.#waiting]) end();
    for (const queue of this.#queues.all()) queue.close();
  }

  #waitForMessages(queue: Queue, until: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isOpen: boolean) => {
        unwatch();
        cancel();
        this.#waiting.delete(close);
        resolve(isOpen);
      };
      const close = () => {
        end(false);
      };
      const unwatch = queue.watch(() => {
        end(true);
      });
      const cancel = this.#options.clock.wakeAt(until, () => {
        end(true);
      });
      this.#waiting.add(close);
    });
  }
}

function checkQueueName({ name, fifo }: QueueSpec): void {
  const baseName = fifo ? name.replace(/\.fifo$/, '') : name;
  if (QUEUE_NAME.test(baseName) && name.length <= 80 && !(fifo && baseName === name)) return;
  const type = fifo ? 'FIFO' : 'standard';
  throw new AwsError('InvalidParameterValue', `${name} is not a valid name of a ${type} queue.`);
}
