import type { Dispatch, EmbeddedService, ServiceId } from './call.ts';
import { AwsError } from './call.ts';
import { Backups } from './backup/backup.ts';
import { type Clock, systemClock } from './clock.ts';
import { claimData } from './data-owners.ts';
import { bucketSpec, tableSpec } from './data-resources.ts';
import { openDataDirectory } from './disk/data-directory.ts';
import type { Disk } from './disk/disk.ts';
import type { OnConsumed } from './dynamodb/meter.ts';
import { DynamoDbService } from './dynamodb/service.ts';
import { type Authorizer, authorizer, OPERATOR, type Recorder } from './iam/authorizer.ts';
import { policiesOf } from './iam/policies.ts';
import type { Origins } from './template/api-names.ts';
import { DiskSpace } from './disk/disk-space.ts';
import { KmsService } from './kms/service.ts';
import { functionSpecs, type FunctionSpec } from './lambda/function-spec.ts';
import { Room } from './disk/room.ts';
import { S3Service } from './s3/service.ts';
import type { OnDropped } from './scheduler/schedule-runner.ts';
import { SchedulerService } from './scheduler/service.ts';
import type { OnRequest } from './sqs/context.ts';
import { queueSpec } from './sqs/queue-resource.ts';
import { SqsService } from './sqs/service.ts';
import { interpret, type Interpretation } from './template/interpret.ts';
import { openTargets } from './targets.ts';
import { account, region } from './template/resource-type.ts';
import { noFaults, type Faults } from './faults.ts';

export interface ServicesOptions {
  /** The synthesised template. */
  readonly template: unknown;
  readonly dataDir: string;
  /** The values of `Fn::GetAtt ApiEndpoint`: addresses for other machines. */
  readonly origins: Origins;
  readonly clock?: Clock;
  readonly faults?: Faults;
  readonly sync?: 'interval' | 'always';
  /** An open disk. Default: the disk in the data directory. */
  readonly disk?: Disk;
  readonly onAllowed?: Recorder | undefined;
  readonly onConsumed?: OnConsumed | undefined;
  readonly onQueueRequest?: OnRequest | undefined;
  readonly onDropped?: OnDropped | undefined;
}

/** The services of the template with their data. They act only when they are called. */
export interface Services {
  readonly stack: Interpretation;
  readonly functions: readonly FunctionSpec[];
  readonly authorizer: Authorizer;
  /** Runs a call with the permissions of its role. */
  readonly dispatch: Dispatch;
  readonly disk: Disk;
  /** Whether the data directory has room for new data. */
  readonly room: Room;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly dynamodb: DynamoDbService;
  readonly sqs: SqsService;
  readonly s3: S3Service;
  readonly scheduler: SchedulerService;
  readonly kms: KmsService;
  readonly backups: Backups;
  register(service: EmbeddedService): void;
  close(): Promise<void>;
}

/** Opens the data directory with the services of the template. */
export async function openServices(options: ServicesOptions): Promise<Services> {
  const { template, dataDir, origins, sync, clock = systemClock, faults = noFaults } = options;
  const stack = interpret(template, { origins });
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
    let isClosed = false;
    const dispatch = dispatchThrough({ services, iam, isClosed: () => isClosed });
    const common = { disk, clock, faults, region, account };
    const opened = {
      dynamodb: new DynamoDbService({ ...common, onConsumed: options.onConsumed }),
      sqs: new SqsService({
        ...common,
        queueUrlBase: `https://sqs.${region}.amazonaws.com`,
        // With fault injection, messages in flight wait for their visibility timeout after a restart, as on AWS.
        releaseUnanswered: faults === noFaults,
        onRequest: options.onQueueRequest,
      }),
      s3: new S3Service({
        disk,
        dataDir,
        clock,
        isAllowed: (role, action, resource) => iam.allows(role, { action, resource }),
      }),
      scheduler: new SchedulerService({
        ...common,
        dispatch,
        canAssume: (role, groupArn) => iam.mayAssume(role, 'scheduler.amazonaws.com', groupArn),
        onDropped: options.onDropped,
      }),
      kms: new KmsService({ disk, dataDir, region, account }),
    };
    await opened.s3.load();
    await opened.scheduler.load();
    for (const service of Object.values(opened)) services.set(service.id, service);
    for (const table of stack.ofType('AWS::DynamoDB::GlobalTable')) await opened.dynamodb.createTable(tableSpec(table));
    for (const queue of queuesInOrder(stack)) await opened.sqs.createQueue(queue);
    const eventBridge = await openTargets({ stack, sqs: opened.sqs, ...common });
    services.set(eventBridge.id, eventBridge);
    for (const bucket of stack.ofType('AWS::S3::Bucket')) opened.s3.createBucket(bucketSpec(bucket));
    for (const key of stack.ofType('AWS::KMS::Key')) await opened.kms.createKey(key.ref);
    for (const { ref } of stack.ofType('AWS::Scheduler::ScheduleGroup')) opened.scheduler.createGroup({ name: ref });
    await opened.scheduler.declare(
      stack.ofType('AWS::Scheduler::Schedule').map(({ ref, properties }) => ({ ...properties, Name: ref })),
    );
    const backups = new Backups({ disk, bodyFiles: opened.s3.bodyFiles, dataDir });
    return {
      stack,
      functions,
      authorizer: iam,
      dispatch,
      disk,
      room: new Room(disk, new DiskSpace(dataDir)),
      clock,
      faults,
      ...opened,
      backups,
      register: (service) => void services.set(service.id, service),
      async close() {
        isClosed = true;
        opened.s3.stop();
        opened.sqs.close();
        opened.dynamodb.close();
        await backups.close();
        await disk.close();
      },
    };
  } catch (error) {
    await disk.close();
    throw error;
  }
}

/** Dead-letter queues first: a queue names its dead-letter queue. */
function queuesInOrder(stack: Interpretation) {
  const specs = stack
    .ofType('AWS::SQS::Queue')
    .map(({ attributes, properties }) => queueSpec(attributes['QueueName'] ?? '', properties));
  return [
    ...specs.filter(({ redrivePolicy }) => !redrivePolicy),
    ...specs.filter(({ redrivePolicy }) => redrivePolicy),
  ];
}

interface DispatchOptions {
  services: ReadonlyMap<ServiceId, EmbeddedService>;
  iam: Authorizer;
  isClosed: () => boolean;
}

function dispatchThrough({ services, iam, isClosed }: DispatchOptions): Dispatch {
  return (call) => {
    try {
      // Timers of functions may call later: a change that nothing writes would set timers that keep the process.
      if (isClosed()) throw new AwsError('ServiceUnavailable', 'The service has stopped.', { statusCode: 503 });
      const service = services.get(call.service);
      if (!service)
        throw new AwsError('UnknownServiceError', `The service ${call.service} is not embedded.`, {
          statusCode: 404,
        });
      if (call.role !== OPERATOR)
        iam.check(call.role, call.service, service.requiredPermissions(call.operation, call.input));
      return service.call(call.operation, call.input, call.role);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
}
