import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, sizing } from '../sizing.ts';
import type { ServiceFunction } from './service-function.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
export const LARGEST_MESSAGE_BYTES = 1_048_576;

/** A queue and its dead-letter queue. */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly name: QueueName;
  #mapping: CfnEventSourceMapping | undefined;

  constructor(scope: Construct, id: string, { name, fifo = false }: { name: QueueName; fifo?: boolean }) {
    super(scope, id);
    this.name = name;
    const { visibility, maxReceiveCount } = sizing.queues[name];
    const common = {
      // As much as one request of `shared/aws/queues.ts` carries. AWS documents two different defaults.
      maxMessageSizeBytes: LARGEST_MESSAGE_BYTES,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      ...(fifo
        ? {
            fifo: true,
            deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
            fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
          }
        : {}),
    };
    this.deadLetters = new Queue(this, 'DeadLetters', {
      ...common,
      retentionPeriod: Duration.days(sizing.retention.deadLetters),
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      // For ticks of EventBridge Scheduler, which cannot set a deduplication id. All other triggers set one.
      ...(fifo ? { contentBasedDeduplication: true } : {}),
      visibilityTimeout: Duration.seconds(visibility),
      retentionPeriod: Duration.days(sizing.retention.queue),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
  }

  /** The addresses that the operator's commands need. */
  get addresses() {
    return {
      url: this.queue.queueUrl,
      deadLettersUrl: this.deadLetters.queueUrl,
      ...(this.#mapping ? { mapping: this.#mapping.ref } : {}),
    };
  }

  get mappingArn(): string {
    if (!this.#mapping) throw new Error(`No function takes messages of ${this.name}.`);
    return Stack.of(this).formatArn({
      service: 'lambda',
      resource: 'event-source-mapping',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      resourceName: this.#mapping.ref,
    });
  }

  /** Makes a function the consumer of this queue. */
  consumedBy(worker: ServiceFunction, { maximumConcurrency }: { maximumConcurrency: number }): void {
    const consume = ['ReceiveMessage', 'ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes'];
    worker.allow(
      consume.map((action) => `sqs:${action}`),
      [this.queue.queueArn],
    );
    worker.env('QUEUE_URL', this.queue.queueUrl);
    // Messages that fail again and again are set aside one by one.
    worker.allow(['sqs:SendMessage'], [this.deadLetters.queueArn]);
    worker.env('DEAD_LETTERS_URL', this.deadLetters.queueUrl);
    this.#mapping = new CfnEventSourceMapping(this, 'Feed', {
      eventSourceArn: this.queue.queueArn,
      functionName: worker.lambda.functionArn,
      batchSize: sizing.queues[this.name].batch,
      functionResponseTypes: ['ReportBatchItemFailures'],
      scalingConfig: { maximumConcurrency },
    });
    this.#mapping.node.addDependency(worker);
  }
}
