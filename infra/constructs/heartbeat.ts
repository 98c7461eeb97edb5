import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { ServiceFunction } from './service-function.ts';

/** A queue that nothing reads. The heartbeat sends a message after each success; CloudWatch counts them. */
export class Heartbeat extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.minutes(1),
      maxMessageSizeBytes: 1_024,
    });
  }

  grantReport(to: ServiceFunction): void {
    to.allow(['sqs:SendMessage'], [this.queue.queueArn]).env('HEARTBEAT_QUEUE_URL', this.queue.queueUrl);
  }
}
