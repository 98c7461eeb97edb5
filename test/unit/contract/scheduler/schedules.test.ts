import { describe, expect, test } from 'vitest';
import { GROUP, ROLE } from '../../../support/world/scheduler.ts';
import { aSchedule, aWorld, FIFO, paths, type Options } from './paths.ts';

const MINUTE = 60_000;
const ARN = `arn:aws:scheduler:us-east-1:000000000000:schedule/${GROUP}/tick`;

describe.each(paths)('Scheduler %s', (_name, connect) => {
  const begin = async (options: Options = {}) => {
    const world = await aWorld(options);
    const { send } = connect(world);
    const create = (more: Record<string, unknown> = {}, target: Record<string, unknown> = {}) =>
      send('CreateSchedule', aSchedule(more, target));
    return { world, send, create };
  };
  const invalid = (message: unknown) => ({ name: 'ValidationException', message });
  const violates = (path: string, constraint: string) =>
    invalid(expect.stringMatching(new RegExp(`^1 validation error detected: .*'${path}'.*${constraint}`)));

  test('creates a schedule as its input describes it', async () => {
    const { create, world } = await begin();
    const now = world.clock.now();
    const input = {
      ScheduleExpression: 'rate(5 minutes)',
      ScheduleExpressionTimezone: 'Europe/Berlin',
      StartDate: new Date(now + 10 * MINUTE),
      ActionAfterCompletion: 'DELETE',
      Target: {
        Arn: FIFO,
        RoleArn: ROLE,
        Input: '{}',
        SqsParameters: { MessageGroupId: 'dc_1' },
      },
    };
    expect(await create(input)).toEqual({ ScheduleArn: ARN });
    expect(world.stored()).toEqual({
      name: 'tick',
      groupName: GROUP,
      scheduleExpression: 'rate(5 minutes)',
      timezone: 'Europe/Berlin',
      startDate: now + 10 * MINUTE,
      actionAfterCompletion: 'DELETE',
      target: {
        arn: FIFO,
        roleArn: ROLE,
        input: '{}',
        messageGroupId: 'dc_1',
      },
    });
  });

  test('has the defaults of AWS', async () => {
    const { send, world } = await begin();
    await send('CreateSchedule', { ...aSchedule(), GroupName: undefined });
    expect(world.stored('tick', 'default')).toMatchObject({
      groupName: 'default',
      timezone: 'UTC',
      actionAfterCompletion: 'NONE',
    });
  });

  test('a name is unique in its group', async () => {
    const { create, send } = await begin();
    await create();
    await expect(create()).rejects.toMatchObject({
      name: 'ConflictException',
      message: 'Schedule tick already exists.',
    });
    await send('CreateSchedule', { ...aSchedule(), GroupName: 'default' });
  });

  test('one of ten simultaneous creations succeeds', async () => {
    const { create } = await begin();
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a repeated creation with the same token gets the same answer', async () => {
    const { create } = await begin();
    const first = await create({ ClientToken: 'once' });
    await expect(create({ ClientToken: 'once' })).resolves.toEqual(first);
    await expect(create({ ClientToken: 'once', ActionAfterCompletion: 'DELETE' })).rejects.toMatchObject({
      name: 'ConflictException',
    });
    await expect(create({ ClientToken: 'twice' })).rejects.toMatchObject({ name: 'ConflictException' });
  });

  test('an update replaces the whole definition', async () => {
    const { create, send, world } = await begin();
    await create({ ActionAfterCompletion: 'DELETE' });
    expect(await send('UpdateSchedule', aSchedule({ ScheduleExpression: 'rate(1 hour)' }))).toEqual({
      ScheduleArn: ARN,
    });
    expect(world.stored()).toMatchObject({
      scheduleExpression: 'rate(1 hour)',
      actionAfterCompletion: 'NONE',
    });
  });

  test('a deleted schedule is removed and never fires', async () => {
    const { create, send, world } = await begin();
    await create();
    await send('DeleteSchedule', { Name: 'tick', GroupName: GROUP });
    const missing = { name: 'ResourceNotFoundException', message: 'Schedule tick does not exist.' };
    expect(world.stored()).toBeUndefined();
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
    await expect(send('UpdateSchedule', aSchedule({ GroupName }))).rejects.toMatchObject(missing);
    await expect(send('DeleteSchedule', { Name: 'tick', GroupName })).rejects.toMatchObject(missing);
  });

  test('the number of schedules has a quota', async () => {
    const { create } = await begin({ maxSchedules: 2 });
    await create({ Name: 'a' });
    await create({ Name: 'b' });
    await expect(create({ Name: 'c' })).rejects.toMatchObject({ name: 'ServiceQuotaExceededException' });
  });

  test.each([
    ['name', 64, (text: string) => ({ Name: text })],
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

  test.each(['a b', 'a/b', 'ü', 'a:b'])('%j is not a valid name', async (Name) => {
    const { create } = await begin();
    await expect(create({ Name })).rejects.toMatchObject(violates('name', 'regular expression pattern'));
  });

  test('a name may have all allowed characters', async () => {
    const { create, world } = await begin();
    const Name = 'aZ09-_.';
    await create({ Name });
    expect(world.stored(Name)).toMatchObject({ name: Name });
  });

  test.each([
    ...['at(2026-13-01T00:00:00)', 'at(2026-02-30T00:00:00)', 'at(2026-01-01)', 'at(2026-01-01T01:00:00Z)'],
    ...['rate(0 minutes)', 'rate(5 seconds)', 'rate(1.5 hours)', 'rate(minute)', 'rate(-1 minutes)'],
    ...['cron(* * * * *)', 'cron(0 12 * * * *)', 'cron(0 12 ? * ? *)', 'cron(60 12 * * ? *)', 'cron(0 24 * * ? *)'],
    ...['cron(0 12 ? * 0 *)', 'cron(0 12 ? * 8 *)', 'cron(0 12 ? * 2#6 *)', 'cron(0 12 ? * 2#1,3#2 *)'],
    ...['cron(? 12 * * ? *)', 'cron(0 12 * * ? 1969)', 'cron(0 12 * * ? 2200)', 'cron(0 12 32 * ? *)'],
    ...['cron(0 12 * 13 ? *)', 'cron(0 12 * * ?)', 'every minute', '* * * * *', 'rate(1 minute) ', 'cron()'],
  ])('%s is not a valid schedule expression', async (ScheduleExpression) => {
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
    '%s is not a time zone',
    async (ScheduleExpressionTimezone) => {
      const { create } = await begin();
      await expect(create({ ScheduleExpressionTimezone })).rejects.toMatchObject(
        invalid(`Invalid Schedule Expression Timezone ${ScheduleExpressionTimezone}.`),
      );
    },
  );

  test('a start date may be at most five minutes in the past', async () => {
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

  test.each([
    ['a target of another kind', { Arn: 'arn:aws:sns:us-east-1:000000000000:topic' }],
    ['a target without an ARN', { Arn: 'queue' }],
    ['a role without an ARN', { RoleArn: 'role' }],
    ['a function', { Arn: 'arn:aws:lambda:us-east-1:000000000000:function:timers' }],
    ['an API call', { Arn: 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage' }],
    ['no input', { Input: undefined }],
    ['a queue for dead letters', { DeadLetterConfig: { Arn: FIFO } }],
    ['a policy for retries', { RetryPolicy: { MaximumRetryAttempts: 0 } }],
    ['an unknown kind of parameters', { KinesisParameters: { PartitionKey: 'a' } }],
  ])('%s is refused', async (_what, target) => {
    const { create } = await begin();
    await expect(create({}, target)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test.each([
    ['a flexible time window', { FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 5 } }],
    ['a state', { State: 'DISABLED' }],
    ['an end date', { EndDate: new Date() }],
    ['a description', { Description: 'mine' }],
    ['another action', { ActionAfterCompletion: 'KEEP' }],
    ['a key', { KmsKeyArn: 'arn:aws:kms:us-east-1:000000000000:key/1' }],
    ['no target', { Target: undefined }],
    ['no window', { FlexibleTimeWindow: undefined }],
    ['no expression', { ScheduleExpression: undefined }],
  ])('%s is refused', async (_what, more) => {
    const { create } = await begin();
    await expect(create(more)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('the role must trust the scheduler for the group of the schedule', async () => {
    const group = `arn:aws:scheduler:us-east-1:000000000000:schedule-group/${GROUP}`;
    const { create } = await begin({ canAssume: (role, groupArn) => role === ROLE && groupArn === group });
    await create();
    const RoleArn = 'arn:aws:iam::000000000000:role/other';
    await expect(create({ Name: 'other' }, { RoleArn })).rejects.toMatchObject(
      invalid('The execution role you provide must allow AWS EventBridge Scheduler to assume the role.'),
    );
  });

  test('reads a schedule as it was made, with the times of its creation and of its last change', async () => {
    const { send, create, world } = await begin();
    const made = new Date(world.clock.now());
    const target = { Arn: FIFO, RoleArn: ROLE, Input: '{}', SqsParameters: { MessageGroupId: 'dc_1' } };
    await create({ ActionAfterCompletion: 'DELETE' });
    world.clock.advance(MINUTE);
    const StartDate = new Date(world.clock.now());
    await send('UpdateSchedule', aSchedule({ ScheduleExpression: 'rate(1 hour)', StartDate, Target: target }));
    expect(await send('GetSchedule', { GroupName: GROUP, Name: 'tick' })).toEqual({
      Arn: ARN,
      Name: 'tick',
      GroupName: GROUP,
      State: 'ENABLED',
      CreationDate: made,
      LastModificationDate: new Date(made.getTime() + MINUTE),
      ScheduleExpression: 'rate(1 hour)',
      ScheduleExpressionTimezone: 'UTC',
      StartDate,
      ActionAfterCompletion: 'NONE',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: target,
    });
    await expect(send('GetSchedule', { GroupName: GROUP, Name: 'tock' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('lists the schedules of one group, each once, a page at a time, also while they change', async () => {
    const { send, create } = await begin();
    const names = Array.from({ length: 25 }, (_, n) => `n${String(n).padStart(2, '0')}`);
    for (const Name of names.toReversed()) await create({ Name });
    await create({ Name: 'n00', GroupName: 'default' });
    const listed: string[] = [];
    let NextToken: unknown;
    do {
      const page = await send('ListSchedules', { GroupName: GROUP, MaxResults: 10, NextToken });
      const schedules = page['Schedules'] as { Name: string; GroupName: string; Target: object }[];
      for (const { GroupName, Target } of schedules)
        expect([GroupName, Target]).toEqual([GROUP, { Arn: expect.stringContaining(':sqs:') as string }]);
      listed.push(...schedules.map(({ Name }) => Name));
      NextToken = page['NextToken'];
      if (listed.length === 10) await send('DeleteSchedule', { GroupName: GROUP, Name: 'n00' });
    } while (NextToken !== undefined);
    expect(listed).toEqual(names);
    for (const wrong of [{ MaxResults: 101 }, { MaxResults: 0 }, { NamePrefix: 'n' }])
      await expect(send('ListSchedules', { GroupName: GROUP, ...wrong })).rejects.toMatchObject({
        name: 'ValidationException',
      });
    await expect(send('ListSchedules', { GroupName: 'none' })).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  });

  test('ListSchedules needs its permission for the schedules of the group', async () => {
    const { send, world } = await begin();
    world.denied.add('scheduler:ListSchedules');
    await expect(send('ListSchedules', { GroupName: GROUP })).rejects.toMatchObject({
      message: expect.stringContaining(`schedule/${GROUP}/*`) as string,
    });
  });

  test.each(['CreateSchedule', 'UpdateSchedule', 'DeleteSchedule', 'GetSchedule'])(
    '%s needs its permission',
    async (operation) => {
      const { send, create, world } = await begin();
      await create();
      world.denied.add(`scheduler:${operation}`);
      const input = /^(?:Delete|Get)/.test(operation) ? { GroupName: GROUP, Name: 'tick' } : aSchedule();
      await expect(send(operation, input)).rejects.toMatchObject({
        name: 'AccessDeniedException',
        message: `scheduler:${operation} on ${ARN} {}`,
      });
    },
  );

  test.each(['CreateSchedule', 'UpdateSchedule'])(
    '%s needs iam:PassRole for the role of the target',
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
