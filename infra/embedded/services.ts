import type { Dispatch, EmbeddedService, ServiceId } from './call.ts';
import { AwsError } from './call.ts';
import { type Clock, systemClock } from './clock.ts';
import { claimData } from './data-owners.ts';
import { aliasSpec, bucketSpec, keyId, tableSpec } from './data-resources.ts';
import { openDataDirectory } from './data-directory.ts';
import type { Disk } from './disk.ts';
import type { OnConsumed } from './dynamodb/meter.ts';
import { dynamoDb, type DynamoDbService } from './dynamodb/service.ts';
import { type Authorizer, authorizer, OPERATOR, type Recorder } from './iam/authorizer.ts';
import { policiesOf } from './iam/policies.ts';
import { kms, type Kms } from './kms/kms.ts';
import { functionSpecs, type FunctionSpec } from './lambda/function-spec.ts';
import { s3, type S3 } from './s3/s3.ts';
import { scheduler, type Scheduler, type SchedulerOptions } from './scheduler/scheduler.ts';
import { queueSpec } from './sqs/queue-resource.ts';
import { sqs, type SqsOptions, type SqsService } from './sqs/service.ts';
import { interpret, type Interpretation } from './template/interpret.ts';
import { account, region } from './template/resource-type.ts';
import { fairWeather, type Weather } from './weather.ts';

export interface ServicesOptions {
  /** As synthesised. */
  readonly template: unknown;
  readonly dataDir: string;
  /** What `Fn::GetAtt ApiEndpoint` gives. */
  readonly publicUrl: string;
  readonly clock?: Clock;
  readonly weather?: Weather;
  readonly sync?: 'interval' | 'always';
  /** An open disk; without it the one in the data directory is opened. */
  readonly disk?: Disk;
  readonly onAllowed?: Recorder | undefined;
  readonly onConsumed?: OnConsumed | undefined;
  readonly onQueueRequest?: SqsOptions['onRequest'];
  /** An invocation of a schedule that was refused for good. */
  readonly onDropped?: SchedulerOptions['onDropped'];
}

/** The services of the template with their data: everything but what runs by itself. */
export interface Services {
  readonly stack: Interpretation;
  readonly functions: readonly FunctionSpec[];
  readonly authorizer: Authorizer;
  /** Carries a call out in the name of its role, after asking IAM. */
  readonly dispatch: Dispatch;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly weather: Weather;
  readonly dynamodb: DynamoDbService;
  readonly sqs: SqsService;
  readonly s3: S3;
  readonly scheduler: Scheduler;
  readonly kms: Kms;
  register(service: EmbeddedService): void;
  close(): Promise<void>;
}

/** Opens the data directory with the services of the template. */
export async function openServices(options: ServicesOptions): Promise<Services> {
  const { template, dataDir, publicUrl, sync, clock = systemClock, weather = fairWeather } = options;
  const stack = interpret(template, { publicUrl });
  const functions = functionSpecs(stack);
  const nameOf = new Map(functions.map(({ role, name }) => [role, name]));
  const iam = authorizer({
    policies: policiesOf(stack),
    sessionOf: (role) => nameOf.get(role),
    onAllowed: options.onAllowed,
  });
  const disk = options.disk ?? (await openDataDirectory(dataDir, sync));
  try {
    await claimData(disk, stack);
    const services = new Map<ServiceId, EmbeddedService>();
    const dispatch = dispatchThrough(services, iam);
    const place = { disk, clock, weather, region, account };
    const opened = {
      dynamodb: await dynamoDb({ ...place, ...(options.onConsumed && { onConsumed: options.onConsumed }) }),
      sqs: await sqs({
        ...place,
        queueUrlBase: `https://sqs.${region}.amazonaws.com`,
        // In rough weather a restart is no excuse: messages wait as they do on AWS.
        releaseUnanswered: weather === fairWeather,
        onRequest: options.onQueueRequest,
      }),
      s3: await s3({
        disk,
        dataDir,
        clock,
        isAllowed: (role, action, resource) => iam.allows(role, { action, resource }),
      }),
      scheduler: await scheduler({
        ...place,
        dispatch,
        canAssume: (role) => iam.mayAssume(role, 'scheduler.amazonaws.com'),
        ...(options.onDropped && { onDropped: options.onDropped }),
      }),
      kms: kms({ disk, dataDir, region, account }),
    };
    for (const service of Object.values(opened)) services.set(service.id, service);
    for (const table of stack.ofType('AWS::DynamoDB::GlobalTable'))
      await opened.dynamodb.createTable(tableSpec(table));
    for (const queue of queuesInOrder(stack)) await opened.sqs.createQueue(queue);
    for (const bucket of stack.ofType('AWS::S3::Bucket')) opened.s3.createBucket(bucketSpec(bucket));
    for (const key of stack.ofType('AWS::KMS::Key')) await opened.kms.createKey(keyId(key));
    for (const alias of stack.ofType('AWS::KMS::Alias')) opened.kms.createAlias(...aliasSpec(alias));
    for (const { ref } of stack.ofType('AWS::Scheduler::ScheduleGroup'))
      opened.scheduler.createGroup({ name: ref });
    for (const { logicalId, properties } of stack.ofType('AWS::Scheduler::Schedule')) {
      opened.scheduler.createSchedule({ Name: logicalId, ...properties });
    }
    return {
      stack,
      functions,
      authorizer: iam,
      dispatch,
      disk,
      clock,
      weather,
      ...opened,
      register: (service) => void services.set(service.id, service),
      async close() {
        opened.s3.stop();
        opened.sqs.close();
        opened.dynamodb.close();
        await disk.close();
      },
    };
  } catch (error) {
    await disk.close();
    throw error;
  }
}

/** Dead-letter queues first: a queue names the one that it moves messages to. */
function queuesInOrder(stack: Interpretation) {
  const specs = stack
    .ofType('AWS::SQS::Queue')
    .map(({ attributes, properties }) => queueSpec(attributes['QueueName'] ?? '', properties));
  return [
    ...specs.filter(({ redrivePolicy }) => !redrivePolicy),
    ...specs.filter(({ redrivePolicy }) => redrivePolicy),
  ];
}

function dispatchThrough(services: ReadonlyMap<ServiceId, EmbeddedService>, iam: Authorizer): Dispatch {
  return (call) => {
    try {
      const service = services.get(call.service);
      if (!service)
        throw new AwsError('UnknownServiceError', `${call.service} is not here.`, { statusCode: 404 });
      if (call.role !== OPERATOR)
        iam.check(call.role, call.service, service.demands(call.operation, call.input));
      return service.call(call.operation, call.input, call.role);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
}
