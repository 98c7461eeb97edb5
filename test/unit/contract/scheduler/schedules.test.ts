import { describe, expect, test } from 'vitest';
import { aSchedule, aWorld, FIFO, FUNCTION, GROUP, paths, QUEUE, ROLE, type Options } from './paths.ts';

const MINUTE = 60_000;
const ARN = `arn:aws:scheduler:us-east-1:000000000000:schedule/${GROUP}/tick`;
const DLQ = 'arn:aws:sqs:us-east-1:000000000000:dead';

describe.each(paths)('Scheduler %s', (_name, connect) => {
  const begin = async (options: Options = {}) => {
    const world = await aWorld(options);
    const { send } = connect(world);
    const create = (more: Record<string, unknown> = {}, target: Record<string, unknown> = {}) =>
      send('CreateSchedule', aSchedule(more, target));
    const get = (Name = 'tick') => send('GetSchedule', { Name, GroupName: GROUP });
    return { world, send, create, get };
  };
  const invalid = (message: unknown) => ({ name: 'ValidationException', message });
  const violates = (path: string, constraint: string) =>
    invalid(expect.stringMatching(new RegExp(`^1 validation error detected: .*'${path}'.*${constraint}`)));

  test('creates a schedule and tells all about it', async () => {
    const { create, get, world } = await begin();
    const given = {
      Description: 'every now and then',
      ScheduleExpression: 'rate(5 minutes)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      StartDate: new Date(world.clock.now() + 10 * MINUTE),
      EndDate: new Date(world.clock.now() + 60 * MINUTE),
      State: 'DISABLED',
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: FIFO,
        RoleArn: ROLE,
        Input: '{}',
        SqsParameters: { MessageGroupId: 'dc_1' },
        DeadLetterConfig: { Arn: DLQ },
        RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 0 },
      },
    };
    expect(await create(given)).toEqual({ ScheduleArn: ARN });
    const now = new Date(world.clock.now());
    expect(await get()).toEqual({
      ...given,
      Arn: ARN,
      Name: 'tick',
      GroupName: GROUP,
      FlexibleTimeWindow: { Mode: 'OFF' },
      CreationDate: now,
      LastModificationDate: now,
    });
  });

  test('fills in what AWS fills in', async () => {
    const { send } = await begin();
    await send('CreateSchedule', { ...aSchedule(), GroupName: undefined });
    expect(await send('GetSchedule', { Name: 'tick' })).toMatchObject({
      GroupName: 'default',
      ScheduleExpressionTimezone: 'UTC',
      State: 'ENABLED',
      ActionAfterCompletion: 'NONE',
      Target: { RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 } },
    });
  });

  test('a name is taken once in a group', async () => {
    const { create, send } = await begin();
    await create();
    await expect(create()).rejects.toMatchObject({
      name: 'ConflictException',
      message: 'Schedule tick already exists.',
    });
    await send('CreateSchedule', { ...aSchedule(), GroupName: 'default' });
  });

  test('of ten creations at once, one succeeds', async () => {
    const { create } = await begin();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('the same creation again, with its token, is answered again', async () => {
    const { create } = await begin();
    const first = await create({ ClientToken: 'once' });
    await expect(create({ ClientToken: 'once' })).resolves.toEqual(first);
    await expect(create({ ClientToken: 'once', Description: 'other' })).rejects.toMatchObject({
      name: 'ConflictException',
    });
    await expect(create({ ClientToken: 'twice' })).rejects.toMatchObject({ name: 'ConflictException' });
  });

  test('an update replaces everything but the creation date', async () => {
    const { create, get, send, world } = await begin();
    await create({ Description: 'before', State: 'DISABLED' });
    const CreationDate = new Date(world.clock.now());
    await world.advance(MINUTE);
    expect(await send('UpdateSchedule', aSchedule({ ScheduleExpression: 'rate(1 hour)' }))).toEqual({
      ScheduleArn: ARN,
    });
    const after = await get();
    expect(after).toMatchObject({
      ScheduleExpression: 'rate(1 hour)',
      State: 'ENABLED',
      CreationDate,
      LastModificationDate: new Date(world.clock.now()),
    });
    expect(after).not.toHaveProperty('Description');
  });

  test('a deleted schedule is gone and never fires', async () => {
    const { create, get, send, world } = await begin();
    await create();
    await send('DeleteSchedule', { Name: 'tick', GroupName: GROUP });
    const missing = { name: 'ResourceNotFoundException', message: 'Schedule tick does not exist.' };
    await expect(get()).rejects.toMatchObject(missing);
    await expect(send('DeleteSchedule', { Name: 'tick', GroupName: GROUP })).rejects.toMatchObject(missing);
    await expect(send('UpdateSchedule', aSchedule())).rejects.toMatchObject(missing);
    await world.advance(120 * MINUTE);
    expect(world.made).toEqual([]);
  });

  test('a group must exist', async () => {
    const { send } = await begin();
    const GroupName = 'nowhere';
    const missing = { name: 'ResourceNotFoundException', message: 'Schedule group nowhere does not exist.' };
    await expect(send('CreateSchedule', aSchedule({ GroupName }))).rejects.toMatchObject(missing);
    await expect(send('GetSchedule', { Name: 'tick', GroupName })).rejects.toMatchObject(missing);
    await expect(send('ListSchedules', { GroupName })).rejects.toMatchObject(missing);
  });

  test('there is a quota of schedules', async () => {
    const { create } = await begin({ maxSchedules: 2 });
    await create({ Name: 'a' });
    await create({ Name: 'b' });
    await expect(create({ Name: 'c' })).rejects.toMatchObject({ name: 'ServiceQuotaExceededException' });
  });

  test('lists by group, prefix and state, page by page', async () => {
    const { create, send } = await begin();
    for (const Name of ['b', 'a2', 'a1', 'a3'])
      await create({ Name, State: Name === 'a2' ? 'DISABLED' : 'ENABLED' });
    await send('CreateSchedule', { ...aSchedule({ Name: 'a0' }), GroupName: 'default' });
    const names = (page: Record<string, unknown>) =>
      (page['Schedules'] as { Name: string }[]).map(({ Name }) => Name);
    const list = (more: Record<string, unknown> = {}) => send('ListSchedules', { GroupName: GROUP, ...more });
    expect(names(await send('ListSchedules', {}))).toEqual(['a0', 'a1', 'a2', 'a3', 'b']);
    expect(names(await list({ NamePrefix: 'a' }))).toEqual(['a1', 'a2', 'a3']);
    expect(names(await list({ State: 'DISABLED' }))).toEqual(['a2']);
    const first = await list({ MaxResults: 3 });
    expect(names(first)).toEqual(['a1', 'a2', 'a3']);
    const second = await list({ MaxResults: 3, NextToken: first['NextToken'] });
    expect(names(second)).toEqual(['b']);
    expect(second).not.toHaveProperty('NextToken');
    expect(second['Schedules']).toMatchObject([
      { GroupName: GROUP, State: 'ENABLED', Target: { Arn: QUEUE } },
    ]);
    await list({ MaxResults: 100 });
    await expect(list({ MaxResults: 101 })).rejects.toMatchObject(
      violates('maxResults', 'less than or equal to 100'),
    );
    await expect(list({ MaxResults: 0 })).rejects.toMatchObject(
      violates('maxResults', 'greater than or equal to 1'),
    );
    await expect(list({ NextToken: 'forged' })).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test.each([
    ['name', 64, (text: string) => ({ Name: text })],
    ['description', 512, (text: string) => ({ Description: text })],
    ['clientToken', 64, (text: string) => ({ ClientToken: text })],
  ])('%s may have %d characters and no more', async (path, max, input) => {
    const { create } = await begin();
    await create({ ...input('x'.repeat(max)) });
    await expect(create({ Name: 'other', ...input('x'.repeat(max + 1)) })).rejects.toMatchObject(
      violates(path, `less than or equal to ${max}`),
    );
  });

  test('a message group id may have 128 characters and no more', async () => {
    const { create } = await begin();
    const target = (length: number) => ({ Arn: FIFO, SqsParameters: { MessageGroupId: 'x'.repeat(length) } });
    await create({}, target(128));
    await expect(create({}, target(129))).rejects.toMatchObject(
      violates('target.sqsParameters.messageGroupId', 'less than or equal to 128'),
    );
  });

  test('an input may have 256 KB and no more', async () => {
    const { create } = await begin();
    await create({}, { Input: 'é'.repeat(131_072) });
    await expect(create({}, { Input: `${'é'.repeat(131_072)}x` })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  test.each([
    ['MaximumRetryAttempts', 0, 185],
    ['MaximumEventAgeInSeconds', 60, 86_400],
  ])('%s lies between %d and %d', async (name, min, max) => {
    const { create } = await begin();
    const policy = (value: number) => ({ RetryPolicy: { [name]: value } });
    await create({ Name: 'min' }, policy(min));
    await create({ Name: 'max' }, policy(max));
    await expect(create({ Name: 'below' }, policy(min - 1))).rejects.toMatchObject({
      name: 'ValidationException',
    });
    await expect(create({ Name: 'above' }, policy(max + 1))).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  test.each(['a b', 'a/b', 'ü', 'a:b'])('%j is no name', async (Name) => {
    const { create } = await begin();
    await expect(create({ Name })).rejects.toMatchObject(violates('name', 'regular expression pattern'));
  });

  test('a name may have every character that is allowed', async () => {
    const { create, get } = await begin();
    const Name = 'aZ09-_.';
    await create({ Name });
    await expect(get(Name)).resolves.toMatchObject({ Name });
  });

  test.each([
    ...['at(2026-13-01T00:00:00)', 'at(2026-02-30T00:00:00)', 'at(2026-01-01)', 'at(2026-01-01T01:00:00Z)'],
    ...['rate(0 minutes)', 'rate(5 seconds)', 'rate(1.5 hours)', 'rate(minute)', 'rate(-1 minutes)'],
    ...[
      'cron(* * * * *)',
      'cron(0 12 * * * *)',
      'cron(0 12 ? * ? *)',
      'cron(60 12 * * ? *)',
      'cron(0 24 * * ? *)',
    ],
    ...['cron(0 12 ? * 0 *)', 'cron(0 12 ? * 8 *)', 'cron(0 12 ? * 2#6 *)', 'cron(0 12 ? * 2#1,3#2 *)'],
    ...['cron(? 12 * * ? *)', 'cron(0 12 * * ? 1969)', 'cron(0 12 * * ? 2200)', 'cron(0 12 32 * ? *)'],
    ...['cron(0 12 * 13 ? *)', 'cron(0 12 * * ?)', 'every minute', '* * * * *', 'rate(1 minute) ', 'cron()'],
  ])('%s is no schedule expression', async (ScheduleExpression) => {
    const { create } = await begin();
    await expect(create({ ScheduleExpression })).rejects.toMatchObject(
      invalid(`Invalid Schedule Expression ${ScheduleExpression}.`),
    );
  });

  test('a one-time schedule in the past is refused', async () => {
    const { create } = await begin({ start: Date.UTC(2026, 0, 1, 1, 0, 59) });
    await create({ Name: 'this-minute', ScheduleExpression: 'at(2026-01-01T01:00:00)' });
    await expect(create({ ScheduleExpression: 'at(2026-01-01T00:59:59)' })).rejects.toMatchObject({
      name: 'ValidationException',
    });
  });

  test.each(['Mars/Olympus', 'berlin', '+01:00', 'Europe/'])(
    '%s is no time zone',
    async (ScheduleExpressionTimezone) => {
      const { create } = await begin();
      await expect(create({ ScheduleExpressionTimezone })).rejects.toMatchObject(
        invalid(`Invalid Schedule Expression Timezone ${ScheduleExpressionTimezone}.`),
      );
    },
  );

  test('a start date may be five minutes ago and no longer', async () => {
    const { create, world } = await begin();
    const dates = (ago: number) => ({
      ScheduleExpression: 'cron(0 12 * * ? *)',
      StartDate: new Date(world.clock.now() - ago),
    });
    await create(dates(5 * MINUTE));
    await expect(create({ Name: 'b', ...dates(5 * MINUTE + 1000) })).rejects.toMatchObject(
      invalid('The StartDate you specify cannot be earlier than 5 minutes ago.'),
    );
  });

  test('an end date lies in the future and after the start date', async () => {
    const { create, world } = await begin();
    const at = (ms: number) => new Date(world.clock.now() + ms);
    const rate = { ScheduleExpression: 'rate(1 minute)' };
    await expect(create({ ...rate, EndDate: at(0) })).rejects.toMatchObject({ name: 'ValidationException' });
    const dates = { StartDate: at(MINUTE), EndDate: at(MINUTE) };
    await expect(create({ ...rate, ...dates })).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test.each([
    ['a target of another kind', { Arn: 'arn:aws:sns:us-east-1:000000000000:topic' }],
    ['a target that is no ARN', { Arn: 'queue' }],
    ['a role that is no ARN', { RoleArn: 'role' }],
    ['a function with an input that is not JSON', { Arn: FUNCTION, Input: 'hello' }],
    ['a group id for a function', { Arn: FUNCTION, Input: '{}', SqsParameters: { MessageGroupId: 'a' } }],
    ['a FIFO queue for dead letters', { DeadLetterConfig: { Arn: `${DLQ}.fifo` } }],
    ['a kind of parameters that is not understood', { KinesisParameters: { PartitionKey: 'a' } }],
  ])('%s is refused', async (_what, target) => {
    const { create } = await begin();
    await expect(create({}, target)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test.each([
    ['a flexible time window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } }],
    ['another state', { State: 'PAUSED' }],
    ['another action', { ActionAfterCompletion: 'KEEP' }],
    ['a key', { KmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/1' }],
    ['no target', { Target: undefined }],
    ['no window', { FlexibleTimeWindow: undefined }],
    ['no expression', { ScheduleExpression: undefined }],
  ])('%s is refused', async (_what, more) => {
    const { create } = await begin();
    await expect(create(more)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('the role must trust the scheduler', async () => {
    const { create } = await begin({ canAssume: (role) => role === ROLE });
    await create();
    const RoleArn = 'arn:aws:iam::000000000000:role/other';
    await expect(create({ Name: 'other' }, { RoleArn })).rejects.toMatchObject(
      invalid('The execution role you provide must allow AWS EventBridge Scheduler to assume the role.'),
    );
  });

  test.each(['CreateSchedule', 'UpdateSchedule', 'GetSchedule', 'DeleteSchedule', 'ListSchedules'])(
    '%s needs its permission',
    async (operation) => {
      const { send, create, world } = await begin();
      await create();
      world.denied.add(`scheduler:${operation}`);
      const input = /Create|Update/.test(operation)
        ? aSchedule()
        : { GroupName: GROUP, ...(operation !== 'ListSchedules' && { Name: 'tick' }) };
      const resource = operation === 'ListSchedules' ? ARN.replace('tick', '*') : ARN;
      await expect(send(operation, input)).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: `scheduler:${operation} on ${resource} {}`,
      });
    },
  );

  test.each(['CreateSchedule', 'UpdateSchedule'])(
    '%s needs the permission to pass the role on',
    async (operation) => {
      const { send, world } = await begin();
      world.denied.add('iam:PassRole');
      await expect(send(operation, aSchedule())).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: `iam:PassRole on ${ROLE} {"iam:PassedToService":"scheduler.amazonaws.com"}`,
      });
    },
  );
});
