import { Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, Effect, PolicyDocument, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Resources } from '../resources.ts';
import { READ_AND_WRITE } from './event-table.ts';

/** Each allows what `read` does. */
export type OperatorRole = 'read' | 'act' | 'restore';

interface OperatorRolesProps {
  stackName: string;
  resources: Resources;
  /** Every command leaves a line in it. */
  auditLog: ILogGroup;
  /** The functions that commands invoke. */
  invoked: readonly IFunction[];
}

/** Roles for the operator's commands. Principals of the account that may assume one get its rights. */
export class OperatorRoles extends Construct {
  readonly roles: Readonly<Record<OperatorRole, Role>>;

  constructor(scope: Construct, id: string, props: OperatorRolesProps) {
    super(scope, id);
    const read = reading(Stack.of(this), props);
    this.roles = {
      read: this.role('Read', read),
      act: this.role('Act', [...read, ...acting(props)]),
      restore: this.role('Restore', [...read, ...restoring(Stack.of(this), props)]),
    };
  }

  private role(id: string, statements: readonly PolicyStatement[]): Role {
    return new Role(this, id, {
      assumedBy: new AccountRootPrincipal(),
      inlinePolicies: { commands: new PolicyDocument({ statements: [...statements] }) },
    });
  }
}

/** Actions of one service. */
const allow = (service: string, actions: readonly string[], resources: readonly string[]): PolicyStatement =>
  new PolicyStatement({
    effect: Effect.ALLOW,
    actions: actions.map((action) => `${service}:${action}`),
    resources: [...resources],
  });

const deadLettersOf = ({ runs, deliveries, retries, jobs, schedules }: Resources): string[] =>
  [runs, deliveries, retries, jobs, schedules].map(({ deadLetters }) => deadLetters.queueArn);

const reading = (stack: Stack, { resources, auditLog }: OperatorRolesProps): PolicyStatement[] => [
  allow('cloudformation', ['DescribeStacks'], [stack.stackId]),
  allow('logs', ['CreateLogStream', 'PutLogEvents'], [auditLog.logGroupArn]),
  allow('dynamodb', ['GetItem', 'BatchGetItem', 'Query'], [resources.table.arn]),
  // Messages stay in the queue: a reader receives them, and shows them to others again.
  allow('sqs', ['GetQueueAttributes', 'ReceiveMessage', 'ChangeMessageVisibility'], deadLettersOf(resources)),
];

function acting({ resources, invoked }: OperatorRolesProps): PolicyStatement[] {
  const { table, objects, accountKey, runs, deliveries, retries, jobs, schedules } = resources;
  const queues = [runs, deliveries, retries, jobs];
  const { bucket, kmsKeyArn } = objects;
  return [
    allow('dynamodb', [...READ_AND_WRITE, 'ConditionCheckItem'], [table.arn]),
    allow('s3', ['ListBucket'], [bucket.bucketArn]),
    allow('s3', ['GetObject', 'PutObject', 'DeleteObject'], [bucket.arnForObjects('*')]),
    allow(
      'sqs',
      ['SendMessage'],
      queues.map(({ queue }) => queue.queueArn),
    ),
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_StartMessageMoveTask.html
    allow('sqs', ['DeleteMessage', 'StartMessageMoveTask', 'ListMessageMoveTasks'], deadLettersOf(resources)),
    allow(
      'lambda',
      ['InvokeFunction'],
      invoked.map(({ functionArn }) => functionArn),
    ),
    allow(
      'lambda',
      ['GetEventSourceMapping', 'UpdateEventSourceMapping'],
      queues.map(({ mappingArn }) => mappingArn),
    ),
    allow('kms', ['GenerateDataKey'], [accountKey.arn]),
    ...(kmsKeyArn === undefined ? [] : [allow('kms', ['Decrypt', 'GenerateDataKey'], [kmsKeyArn])]),
    allow(
      'scheduler',
      ['ListSchedules', 'GetSchedule', 'CreateSchedule', 'UpdateSchedule', 'DeleteSchedule'],
      [schedules.scheduleArns],
    ),
    schedules.passRole(),
  ];
}

/** For the stack's table, and those that a restoration makes of it. */
function restoring(stack: Stack, { stackName, resources }: OperatorRolesProps): PolicyStatement[] {
  const { table, objects, accountKey } = resources;
  const restored = stack.formatArn({
    service: 'dynamodb',
    resource: 'table',
    resourceName: `${stackName}-restored-*`,
  });
  return [
    allow('cloudformation', ['GetTemplate'], [stack.stackId]),
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/pointintimerecovery_howitworks.html
    allow(
      'dynamodb',
      [
        ...['DescribeTable', 'DescribeContinuousBackups', 'RestoreTableToPointInTime', 'DescribeTimeToLive'],
        ...['UpdateTimeToLive', 'UpdateContinuousBackups', 'TagResource'],
        ...['Scan', 'Query', 'GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
      ],
      [table.arn, restored],
    ),
    allow('s3', ['ListBucketVersions'], [objects.bucket.bucketArn]),
    allow('s3', ['DeleteObjectVersion'], [objects.bucket.arnForObjects('*')]),
    allow('kms', ['Decrypt'], [accountKey.arn]),
  ];
}
