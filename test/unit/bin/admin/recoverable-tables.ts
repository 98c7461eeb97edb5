import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { expect } from 'vitest';

interface Table {
  source?: string;
  to?: Date;
  /** Descriptions until it is active. */
  creating: number;
  expiry?: string;
  isRecoverable: boolean;
  /** Requests until its backups are available. */
  withoutBackups: number;
  tags: Record<string, string>;
}

interface Options {
  table: string;
  earliest: Date;
  latest: Date;
  bytes: number;
}

const arnOf = (name: string) => `arn:aws:dynamodb:eu-west-1:111122223333:table/${name}`;
const refusal = (name: string, message = name) => Object.assign(new Error(message), { name });

/** DynamoDB's tables with the rules of restoration, which the embedded one has not: its tables have no earlier time. */
export function recoverableTables({ table, earliest, latest, bytes }: Options) {
  const mock = mockClient(DynamoDBClient);
  const tables = new Map<string, Table>();
  let window = { earliest, latest };
  let requests = 0;
  let allowed = Infinity;
  let writes: string[] = [];
  let restoring: (() => void) | undefined;

  const found = (name = ''): Table => {
    const known = tables.get(name);
    if (known) return known;
    throw refusal('ResourceNotFoundException');
  };
  /** A request that AWS receives. The one after the last allowed request is done, and its response is lost. */
  const request =
    <Input, Output>(handle: (input: Input) => Output) =>
    (input: Input): Output => {
      requests += 1;
      const output = handle(input);
      if (requests > allowed) throw refusal('TimeoutError', 'The response was lost');
      return output;
    };
  const write = <Input>(name: string, handle: (input: Input) => void) =>
    request((input: Input) => {
      writes.push(name);
      handle(input);
      return {};
    });

  mock.on(DescribeTableCommand).callsFake(
    request(({ TableName: name = '' }: { TableName?: string }) => {
      const { source, to, creating, ...known } = found(name);
      if (creating > 0) tables.set(name, { ...known, ...(source && to ? { source, to } : {}), creating: creating - 1 });
      return {
        Table: {
          TableArn: arnOf(name),
          TableStatus: creating > 0 ? 'CREATING' : 'ACTIVE',
          TableSizeBytes: bytes,
          ...(source && to ? { RestoreSummary: { SourceTableArn: arnOf(source), RestoreDateTime: to } } : {}),
        },
      };
    }),
  );
  mock.on(DescribeContinuousBackupsCommand).callsFake(
    request(({ TableName: name }: { TableName?: string }) => ({
      ContinuousBackupsDescription: {
        PointInTimeRecoveryDescription: found(name).isRecoverable
          ? {
              PointInTimeRecoveryStatus: 'ENABLED',
              EarliestRestorableDateTime: window.earliest,
              LatestRestorableDateTime: window.latest,
            }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    })),
  );
  mock.on(RestoreTableToPointInTimeCommand).callsFake(
    write(
      'RestoreTableToPointInTime',
      (input: { SourceTableName?: string; TargetTableName?: string; RestoreDateTime?: Date }) => {
        const { SourceTableName: source = '', TargetTableName: target = '', RestoreDateTime: to } = input;
        if (tables.has(target)) throw refusal('TableAlreadyExistsException');
        if (!to || to < window.earliest || to > window.latest) throw refusal('InvalidRestoreTimeException');
        found(source);
        tables.set(target, { source, to, creating: 3, isRecoverable: false, withoutBackups: 2, tags: {} });
        restoring?.();
      },
    ),
  );
  mock.on(DescribeTimeToLiveCommand).callsFake(
    request(({ TableName: name }: { TableName?: string }) => {
      const { expiry } = found(name);
      return {
        TimeToLiveDescription:
          expiry === undefined
            ? { TimeToLiveStatus: 'DISABLED' }
            : { TimeToLiveStatus: 'ENABLED', AttributeName: expiry },
      };
    }),
  );
  mock.on(UpdateTimeToLiveCommand).callsFake(
    write('UpdateTimeToLive', (input: { TableName?: string; TimeToLiveSpecification?: { AttributeName?: string } }) => {
      const known = found(input.TableName);
      if (known.creating > 0) throw refusal('ResourceInUseException');
      if (known.expiry !== undefined) throw refusal('ValidationException', 'TimeToLive is already enabled');
      known.expiry = input.TimeToLiveSpecification?.AttributeName ?? '';
    }),
  );
  mock.on(UpdateContinuousBackupsCommand).callsFake(
    write('UpdateContinuousBackups', ({ TableName: name }: { TableName?: string }) => {
      const known = found(name);
      if (known.withoutBackups > 0) {
        known.withoutBackups -= 1;
        throw refusal('ContinuousBackupsUnavailableException');
      }
      known.isRecoverable = true;
    }),
  );
  mock.on(TagResourceCommand).callsFake(
    write(
      'TagResource',
      ({ ResourceArn: arn = '', Tags = [] }: { ResourceArn?: string; Tags?: { Key?: string; Value?: string }[] }) => {
        const known = found(arn.split('/')[1]);
        for (const { Key = '', Value = '' } of Tags) known.tags[Key] = Value;
      },
    ),
  );

  const reset = () => {
    tables.clear();
    tables.set(table, { creating: 0, isRecoverable: true, withoutBackups: 0, tags: {} });
    window = { earliest, latest };
    [requests, allowed, writes] = [0, Infinity, []];
    restoring = undefined;
  };
  reset();
  return {
    reset,
    /** A request to another service, which counts as one of these. */
    request,
    requests: () => requests,
    writes: () => writes,
    /** Responses are lost after this many requests. */
    failAfter(count: number) {
      allowed = count === Infinity ? Infinity : count - 1;
    },
    moveWindow(from: Date) {
      window = { ...window, earliest: from };
    },
    onRestore(listener: () => void) {
      restoring = listener;
    },
    add(name: string) {
      tables.set(name, { creating: 0, isRecoverable: true, withoutBackups: 0, tags: {} });
    },
    disableRecovery() {
      (tables.get(table) ?? expect.fail('no table')).isRecoverable = false;
    },
    /** Tables that were restored and are active. */
    restored: () =>
      Object.fromEntries(
        [...tables].flatMap(([name, { source, to, creating, expiry, isRecoverable, tags }]) =>
          source === undefined || creating > 0
            ? []
            : [[name, { source, to: to?.toISOString().replace('.000', ''), expiry, isRecoverable, tags }]],
        ),
      ),
    /** Tables that are gone. */
    deleted: () => [table].filter((name) => !tables.has(name)),
  };
}
