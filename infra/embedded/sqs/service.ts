import { AwsError, type Demand, type EmbeddedService, type Output } from '../call.ts';
import { type Clock } from '../clock.ts';
import { type Disk } from '../disk.ts';
import { type Weather } from '../weather.ts';
import { BodyBudget } from './bodies.ts';
import { changeMessageVisibility, changeMessageVisibilityBatch } from './change-message-visibility.ts';
import { deleteMessage, deleteMessageBatch } from './delete-message.ts';
import { queueDoesNotExist } from './errors.ts';
import { type Input, requiredText } from './input.ts';
import { type Operation, type OperationContext } from './operation.ts';
import { getQueueAttributes, getQueueUrl, purgeQueue } from './queue-attributes.ts';
import { queueDefaults, type QueueSpec } from './queue-spec.ts';
import { Queue } from './queue.ts';
import { readReceipt } from './receipt-handle.ts';
import { IN_FLIGHT_AT_MOST, receiveMessage } from './receive-message.ts';
import { sendMessage, sendMessageBatch } from './send-message.ts';

export interface SqsOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly weather: Weather;
  readonly region: string;
  readonly account: string;
  /** Without trailing slash; a queue's address is `<base>/<account>/<name>`. */
  readonly queueUrlBase: string;
  /**
   * Messages handed out before the restart become visible at once, because whoever had them died with the process.
   * Without it they wait for their visibility timeout, as on AWS.
   */
  readonly releaseUnanswered?: boolean | undefined;
  /** Counts each request that is carried out; an empty receive has 0 entries. */
  readonly onRequest?: ((queueName: string, operation: string, entries: number) => void) | undefined;
}

/** What the pollers in this process know about a queue without a request. */
export interface QueueWatch {
  /** Calls back (without acting for long) whenever messages may have become receivable; the answer ends that. */
  whenVisible(queueArn: string, callback: () => void): () => void;
  /** How many messages one receive of at most `max` would give now. */
  receivable(queueArn: string, max: number): number;
  /** Makes messages visible again that were received but never given to anyone. */
  giveBack(queueArn: string, receiptHandles: readonly string[]): Promise<void>;
}

export interface SqsService extends EmbeddedService, QueueWatch {
  createQueue(
    spec: Pick<QueueSpec, 'name'> & Partial<QueueSpec>,
  ): Promise<{ url: string; arn: string; name: string }>;
  /** The settings of a queue, e.g. its visibility timeout. */
  specOf(queueArn: string): QueueSpec;
  /** Ends all waiting; what is stored stays. */
  close(): void;
}

const operations: Readonly<Record<string, Operation>> = {
  SendMessage: sendMessage,
  SendMessageBatch: sendMessageBatch,
  ReceiveMessage: receiveMessage,
  DeleteMessage: deleteMessage,
  DeleteMessageBatch: deleteMessageBatch,
  ChangeMessageVisibility: changeMessageVisibility,
  ChangeMessageVisibilityBatch: changeMessageVisibilityBatch,
  GetQueueAttributes: getQueueAttributes,
  GetQueueUrl: getQueueUrl,
  PurgeQueue: purgeQueue,
};

const QUEUE_NAME = /^[A-Za-z0-9_-]{1,80}$/;

export function sqs(options: SqsOptions): Promise<SqsService> {
  const {
    disk,
    clock,
    weather,
    region,
    account,
    queueUrlBase,
    releaseUnanswered = false,
    onRequest,
  } = options;
  const bodies = new BodyBudget();
  const queues = new Map<string, Queue>();
  const waiting = new Set<() => void>();
  const demandsOf = new Map<string, readonly Demand[]>();
  const arnOf = (name: string) => `arn:aws:sqs:${region}:${account}:${name}`;
  const nameIn = (path: string, separator: string) => path.slice(path.lastIndexOf(separator) + 1);
  const queueByArn = (arn: string) =>
    arn === arnOf(nameIn(arn, ':')) ? queues.get(nameIn(arn, ':')) : undefined;

  function nameOf(operation: string, input: Input): string {
    if (operation === 'GetQueueUrl') return requiredText(input, 'QueueName');
    return nameIn(requiredText(input, 'QueueUrl'), '/');
  }

  function existing(queue: Queue | undefined): Queue {
    if (!queue) throw queueDoesNotExist();
    return queue;
  }

  function waitForMessages(queue: Queue, until: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (goOn: boolean) => {
        unwatch();
        cancel();
        waiting.delete(close);
        resolve(goOn);
      };
      const close = () => {
        end(false);
      };
      const unwatch = queue.watch(() => {
        end(true);
      });
      const cancel = clock.wakeAt(until, () => {
        end(true);
      });
      waiting.add(close);
    });
  }

  const service: SqsService = {
    id: 'SQS',

    demands(operation, input) {
      if (!operations[operation]) throw unknownOperation(operation);
      const name = nameOf(operation, input);
      const key = `${operation} ${name}`;
      let demands = demandsOf.get(key);
      if (!demands) {
        demands = [{ action: `sqs:${operation.replace(/Batch$/, '')}`, resource: arnOf(name) }];
        if (queues.has(name)) demandsOf.set(key, demands);
      }
      return demands;
    },

    // async, so that what it throws rejects
    async call(operation, input, role): Promise<Output> {
      const carryOut = operations[operation];
      if (!carryOut) throw unknownOperation(operation);
      const queue = existing(queues.get(nameOf(operation, input)));
      const count = (entries: number) => onRequest?.(queue.spec.name, operation, entries);
      const context: OperationContext = { clock, disk, weather, role, waitForMessages, count };
      return carryOut(queue, input, context);
    },

    async createQueue(given) {
      const spec: QueueSpec = { ...queueDefaults, ...given };
      const baseName = spec.fifo ? spec.name.replace(/\.fifo$/, '') : spec.name;
      if (!QUEUE_NAME.test(baseName) || spec.name.length > 80 || (spec.fifo && baseName === spec.name)) {
        throw new AwsError(
          'InvalidParameterValue',
          `${spec.name} is no name of a ${spec.fifo ? 'FIFO' : 'standard'} queue.`,
        );
      }
      if (queues.has(spec.name))
        throw new AwsError('QueueNameExists', `A queue ${spec.name} exists already.`);
      const arn = arnOf(spec.name);
      const url = `${queueUrlBase}/${account}/${spec.name}`;
      const queue = new Queue(spec, { arn, url }, { disk, clock, weather, bodies, queueByArn });
      queues.set(spec.name, queue);
      checkRedrive([...queues.values()]);
      await queue.load({ releaseUnanswered });
      return { url, arn, name: spec.name };
    },

    specOf: (arn) => existing(queueByArn(arn)).spec,
    whenVisible: (arn, callback) => existing(queueByArn(arn)).watch(callback),
    receivable(arn, max) {
      const queue = existing(queueByArn(arn));
      return Math.min(queue.available(max), Math.max(IN_FLIGHT_AT_MOST - queue.inFlight, 0));
    },

    async giveBack(arn, receiptHandles) {
      const queue = existing(queueByArn(arn));
      for (const handle of receiptHandles) {
        const { message, isNewest } = readReceipt(queue, handle);
        if (isNewest && message?.state === 'inFlight') queue.changeVisibility(message, 0);
      }
      await disk.commit();
    },

    close() {
      for (const end of [...waiting]) end();
      for (const queue of queues.values()) queue.close();
    },
  };
  return Promise.resolve(service);
}

const unknownOperation = (operation: string) =>
  new AwsError('UnsupportedOperation', `SQS has no operation ${operation} here.`);

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-dead-letter-queues.html */
function checkRedrive(queues: readonly Queue[]): void {
  for (const source of queues) {
    const target = queues.find(({ arn }) => arn === source.spec.redrivePolicy?.deadLetterTargetArn);
    if (!target) continue;
    const { redrivePermission = 'allowAll', sourceQueueArns = [] } = target.spec.redriveAllowPolicy ?? {};
    const isAllowed =
      redrivePermission === 'allowAll' ||
      (redrivePermission === 'byQueue' && sourceQueueArns.includes(source.arn));
    if (!isAllowed) {
      throw new AwsError(
        'InvalidParameterValue',
        `${target.spec.name} does not allow ${source.spec.name} to use it as dead-letter queue.`,
      );
    }
    if (source.spec.fifo !== target.spec.fifo) {
      throw new AwsError(
        'InvalidParameterValue',
        `The dead-letter queue of ${source.spec.name} must be of its own type, FIFO or standard.`,
      );
    }
  }
}
