import { Effect, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnSchedule, ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { type IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import { sizing } from '../sizing.ts';
import type { ServiceFunction } from './service-function.ts';
import { LARGEST_MESSAGE_BYTES } from './work-queue.ts';

type Action = 'CreateSchedule' | 'UpdateSchedule' | 'DeleteSchedule' | 'GetSchedule';

const SCHEDULER = 'scheduler.amazonaws.com';

interface StackSchedule {
  /** In UTC. */
  expression: string;
  queue: IQueue;
  /** Text of the message. */
  input: string;
  /** The function that reads the message: an earlier version of it must not get a message that it does not know. */
  reader: ServiceFunction;
}

/** The group of all schedules, and the role that schedules use to send messages. Functions create most schedules. */
export class Schedules extends Construct {
  /** Messages that Scheduler could not send. A FIFO queue cannot have them. */
  readonly deadLetters: Queue;
  readonly name = 'schedules';
  private readonly group: ScheduleGroup;
  private readonly role: Role;

  constructor(scope: Construct, id: string, { targets }: { targets: readonly IQueue[] }) {
    super(scope, id);
    this.group = new ScheduleGroup(this, 'Group', { removalPolicy: RemovalPolicy.DESTROY });
    this.deadLetters = new Queue(this, 'DeadLetters', {
      maxMessageSizeBytes: LARGEST_MESSAGE_BYTES,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(sizing.retention.deadLetters),
    });
    const send = [...targets, this.deadLetters].map(
      (queue) =>
        new PolicyStatement({
          effect: Effect.ALLOW,
          actions: ['sqs:SendMessage'],
          resources: [queue.queueArn],
        }),
    );
    this.role = new Role(this, 'Role', {
      // Only schedules of this group:
      // https://docs.aws.amazon.com/scheduler/latest/UserGuide/cross-service-confused-deputy-prevention.html
      assumedBy: new ServicePrincipal(SCHEDULER, {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
          ArnEquals: { 'aws:SourceArn': this.group.scheduleGroupArn },
        },
      }),
      inlinePolicies: { sends: new PolicyDocument({ statements: send }) },
    });
  }

  get groupName(): string {
    return this.group.scheduleGroupName;
  }

  get roleArn(): string {
    return this.role.roleArn;
  }

  /** All schedules of the group. */
  get scheduleArns(): string {
    return Stack.of(this).formatArn({
      service: 'scheduler',
      resource: 'schedule',
      resourceName: `${this.group.scheduleGroupName}/*`,
    });
  }

  /** Creating a schedule passes the role to it. */
  passRole(): PolicyStatement {
    return new PolicyStatement({
      effect: Effect.ALLOW,
      actions: ['iam:PassRole'],
      resources: [this.role.roleArn],
      conditions: { StringEquals: { 'iam:PassedToService': SCHEDULER } },
    });
  }

  /** A schedule of the stack itself. */
  add(id: string, { expression, queue, input, reader }: StackSchedule): void {
    new CfnSchedule(this, id, {
      groupName: this.group.scheduleGroupName,
      scheduleExpression: expression,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: queue.queueArn,
        roleArn: this.role.roleArn,
        deadLetterConfig: { arn: this.deadLetters.queueArn },
        input,
      },
    }).node.addDependency(reader);
  }

  /** Creating a schedule also needs `iam:PassRole` for the schedules' role. */
  grant(to: ServiceFunction, ...actions: Action[]): void {
    for (const action of actions) to.allow([`scheduler:${action}`], [this.scheduleArns]);
    to.env('SCHEDULE_GROUP', this.group.scheduleGroupName);
    if (!actions.includes('CreateSchedule')) return;
    to.allow(['iam:PassRole'], [this.role.roleArn], {
      StringEquals: { 'iam:PassedToService': SCHEDULER },
    });
    to.env('SCHEDULER_ROLE_ARN', this.role.roleArn);
    to.env('SCHEDULES_DEAD_LETTERS_ARN', this.deadLetters.queueArn);
  }
}
