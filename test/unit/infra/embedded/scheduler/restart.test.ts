import { describe, expect, test } from 'vitest';
import type { Scheduler } from '../../../../../infra/embedded/scheduler/scheduler.ts';
import { aSchedule, aWorld, GROUP, QUEUE, ROLE, type World } from '../../../contract/scheduler/paths.ts';
import { AwsError } from '../../../../../infra/embedded/call.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const create = ({ service }: World, more: Record<string, unknown> = {}) =>
  service.call('CreateSchedule', aSchedule(more, { Input: '<aws.scheduler.scheduled-time>' }), ROLE);
const bodies = ({ made }: World) => made.map(({ input }) => input['MessageBody']);
const names = async ({ service }: World) => {
  const { Schedules } = await service.call('ListSchedules', {}, ROLE);
  return (Schedules as { Name: string }[]).map(({ Name }) => Name);
};

describe('after a restart', () => {
  test('schedules are there as they were', async () => {
    const world = await aWorld();
    await create(world, { Description: 'kept' });
    const before = await world.service.call('GetSchedule', { Name: 'tick', GroupName: GROUP }, ROLE);
    const again = await world.reopen(10 * MINUTE);
    expect(await again.service.call('GetSchedule', { Name: 'tick', GroupName: GROUP }, ROLE)).toEqual(before);
    await again.advance(HOUR);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
  });

  test('a deleted schedule stays deleted, one that fired does not fire again', async () => {
    const world = await aWorld();
    await create(world, { Name: 'a' });
    await create(world, { Name: 'b', ScheduleExpression: 'at(2026-01-01T02:00:00)' });
    await world.service.call('DeleteSchedule', { Name: 'b', GroupName: GROUP }, ROLE);
    await world.advance(HOUR);
    const again = await world.reopen();
    await again.advance(2 * HOUR);
    expect(bodies(again)).toEqual([]);
    expect(await names(again)).toEqual(['a']);
  });

  test('a one-time schedule that was missed fires at once', async () => {
    const world = await aWorld();
    await create(world, { ActionAfterCompletion: 'DELETE' });
    const again = await world.reopen(24 * HOUR);
    await again.advance(0);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
    expect(await names(again)).toEqual([]);
  });

  test.each(['rate(1 hour)', 'cron(0 * * * ? *)'])(
    'of all missed occurrences of %s one is made up for',
    async (ScheduleExpression) => {
      const world = await aWorld();
      await create(world, { ScheduleExpression, StartDate: new Date(world.clock.now() + HOUR) });
      await world.advance(90 * MINUTE);
      expect(bodies(world)).toEqual(['2026-01-01T01:00:00Z']);
      const again = await world.reopen(5 * HOUR);
      await again.advance(0);
      expect(bodies(again)).toEqual(['2026-01-01T02:00:00Z']);
      await again.advance(HOUR);
      expect(bodies(again)).toEqual(['2026-01-01T02:00:00Z', '2026-01-01T07:00:00Z']);
    },
  );

  test('a call that had not succeeded is made again, although its schedule is gone', async () => {
    const world = await aWorld();
    world.answers.push(new AwsError('InternalError', '', { statusCode: 500 }));
    await create(world, { ActionAfterCompletion: 'DELETE' });
    await world.advance(HOUR);
    expect(bodies(world)).toHaveLength(1);
    expect(await names(world)).toEqual([]);
    const again = await world.reopen();
    await again.advance(MINUTE);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
    const third = await again.reopen();
    await third.advance(HOUR);
    expect(bodies(third)).toEqual([]);
  });

  test('a call that was under way when the process died is made again', async () => {
    const world = await aWorld();
    world.answers.push('never');
    await create(world, { ActionAfterCompletion: 'DELETE' });
    await world.advance(HOUR);
    expect(bodies(world)).toHaveLength(1);
    const again = await world.crash();
    await again.advance(0);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
  });

  test('says which groups have schedules, so that none is stranded', async () => {
    const world = await aWorld();
    expect(world.service.groupsOnDisk()).toEqual([]);
    await create(world);
    expect((await world.reopen()).service.groupsOnDisk()).toEqual([GROUP]);
  });
});

describe('a schedule of the stack', () => {
  const properties = {
    Name: 'sweep',
    GroupName: GROUP,
    ScheduleExpression: 'rate(1 hour)',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { Arn: QUEUE, RoleArn: ROLE, Input: '<aws.scheduler.scheduled-time>' },
  };

  test('fires, and goes on at its rate after a restart', async () => {
    const world = await aWorld({
      declare: (service) => {
        service.createSchedule(properties);
      },
    });
    await world.advance(0);
    expect(bodies(world)).toEqual(['2026-01-01T00:00:00Z']);
    const again = await world.reopen(30 * MINUTE);
    await again.advance(0);
    expect(bodies(again)).toEqual([]);
    await again.advance(30 * MINUTE);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
  });

  test('that left the stack is gone, others stay', async () => {
    let declare = (service: Scheduler) => {
      service.createSchedule(properties);
    };
    const world = await aWorld({
      declare: (service) => {
        declare(service);
      },
    });
    await create(world);
    expect(await names(world)).toEqual(['sweep', 'tick']);
    declare = () => undefined;
    const again = await world.reopen();
    expect(await names(again)).toEqual(['tick']);
  });

  test('that changed is replaced', async () => {
    let current: Record<string, unknown> = properties;
    const world = await aWorld({
      declare: (service) => {
        service.createSchedule(current);
      },
    });
    await world.advance(0);
    current = { ...properties, ScheduleExpression: 'rate(1 minute)', StartDate: '2026-01-01T00:30:00Z' };
    const again = await world.reopen(MINUTE);
    await again.advance(30 * MINUTE);
    expect(bodies(again)).toEqual(['2026-01-01T00:30:00Z', '2026-01-01T00:31:00Z']);
  });
});
