import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServiceId } from '../../../../infra/embedded/call.ts';
import { dynamoDbOperations } from '../../../../infra/embedded/dynamodb/service.ts';
import { eventBridgeOperations } from '../../../../infra/embedded/eventbridge/service.ts';
import { kmsOperations } from '../../../../infra/embedded/kms/service.ts';
import { lambdaOperations } from '../../../../infra/embedded/lambda/service.ts';
import { s3Operations } from '../../../../infra/embedded/s3/service.ts';
import { schedulerOperations } from '../../../../infra/embedded/scheduler/service.ts';
import { sqsOperations } from '../../../../infra/embedded/sqs/service.ts';
import { targetKind } from '../../../../shared/domain/target/aws-target.ts';

/** Every embedded service: its folder, its table of operations and the packages of its SDK commands. */
const services: readonly { id: ServiceId; folder: string; table: object; packages: readonly string[] }[] = [
  {
    id: 'DynamoDB',
    folder: 'dynamodb',
    table: dynamoDbOperations,
    packages: ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'],
  },
  // Targets call it without a package of the SDK.
  { id: 'EventBridge', folder: 'eventbridge', table: eventBridgeOperations, packages: [] },
  { id: 'KMS', folder: 'kms', table: kmsOperations, packages: ['@aws-sdk/client-kms'] },
  { id: 'Lambda', folder: 'lambda', table: lambdaOperations, packages: ['@aws-sdk/client-lambda'] },
  { id: 'S3', folder: 's3', table: s3Operations, packages: ['@aws-sdk/client-s3'] },
  {
    id: 'Scheduler',
    folder: 'scheduler',
    table: schedulerOperations,
    packages: ['@aws-sdk/client-scheduler'],
  },
  { id: 'SQS', folder: 'sqs', table: sqsOperations, packages: ['@aws-sdk/client-sqs'] },
];

/** Only the admin commands call these services, and only on AWS. */
const NOT_EMBEDDED = [
  '@aws-sdk/client-cloudformation',
  '@aws-sdk/client-cloudwatch',
  '@aws-sdk/client-cloudwatch-logs',
  '@aws-sdk/client-service-quotas',
];
/** Calls of `admin doctor` and `admin restore`, which need an account of AWS. */
const ONLY_AWS = new Set([
  'CreateScheduleGroup',
  'DeleteObjects',
  'DeleteScheduleGroup',
  'DescribeContinuousBackups',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetAccountSettings',
  'GetFunctionConfiguration',
  'GetScheduleGroup',
  'ListObjectVersions',
  'RestoreTableToPointInTime',
  'TagResource',
  'UpdateContinuousBackups',
  'UpdateTimeToLive',
]);

const sources = (...folders: readonly string[]) =>
  folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
  );

/** Names of the commands that production code imports, by package. */
const commands = new Map<string, Set<string>>();
for (const source of sources('bin', 'functions', 'shared')) {
  for (const [, names = '', specifier = ''] of source.matchAll(
    /import (?:type )?\{([^}]*)\} from '(@aws-sdk\/[^']+)'/g,
  )) {
    const imported = names.split(',').map((name) => name.trim().replace(/^paginate(\w+)$/, '$1Command'));
    const found = imported.filter((name) => name.endsWith('Command') && !name.startsWith('type '));
    if (found.length > 0) commands.set(specifier, new Set([...(commands.get(specifier) ?? []), ...found]));
  }
}

/** The operation of a command. A command of lib-dynamodb wraps the command of the client. */
async function operationOf(specifier: string, name: string): Promise<string> {
  if (specifier !== '@aws-sdk/lib-dynamodb') return name.replace(/Command$/, '');
  const lib = (await import('@aws-sdk/lib-dynamodb')) as unknown as Record<
    string,
    new (input: object) => { clientCommand: object }
  >;
  const Command = lib[name] ?? expect.fail(`lib-dynamodb has no ${name}.`);
  return new Command({}).clientCommand.constructor.name.replace(/Command$/, '');
}

/** Calls that the embedded services make themselves, e.g. of an event-source mapping. */
function ownCalls(id: ServiceId): string[] {
  const call = new RegExp(`service: '${id}',\\s*operation: '(\\w+)'`, 'g');
  return sources('infra/embedded').flatMap((source) =>
    [...source.matchAll(call)].map(([, operation = '']) => operation),
  );
}

/** The calls of targets. */
const TARGET_CALLS: Partial<Record<ServiceId, string[]>> = {
  EventBridge: [targetKind({ kind: 'event_bus' }).operation],
  SQS: [targetKind({ kind: 'queue' }).operation],
};

test.each(services)('$id has the operations that are called, and no others', async ({ id, table, packages }) => {
  const imported = packages.flatMap((specifier) =>
    [...(commands.get(specifier) ?? [])].map((name) => operationOf(specifier, name)),
  );
  const called = new Set([...(await Promise.all(imported)), ...ownCalls(id), ...(TARGET_CALLS[id] ?? [])]);
  const embedded = [...called].filter((operation) => !ONLY_AWS.has(operation));
  expect(Object.keys(table).sort()).toEqual(embedded.sort());
});

test('every imported command belongs to an embedded service, or is called only on AWS', () => {
  const known = [...services.flatMap(({ packages }) => packages), ...NOT_EMBEDDED];
  expect([...commands.keys()].filter((specifier) => !known.includes(specifier))).toEqual([]);
});

describe.each(services)('the folder of $id', ({ folder, table }) => {
  const root = join('infra/embedded', folder);

  test('has one file per operation', () => {
    const files = Object.keys(table).map(
      (operation) => `${operation.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()}.ts`,
    );
    expect(readdirSync(join(root, 'operations')).sort()).toEqual(files.sort());
  });

  test.each(['service.ts', 'errors.ts', 'permissions.ts'])('has %s', (name) => {
    expect(existsSync(join(root, name))).toBe(true);
  });

  test('has a handler and its required permissions for every operation', () => {
    for (const operation of Object.values(table))
      expect(operation).toMatchObject({
        handle: expect.any(Function) as unknown,
        requires: expect.any(Function) as unknown,
      });
  });
});
