import { describe, expect, test } from 'vitest';
import { aSchedule, aWorld, type World } from '../../../contract/scheduler/paths.ts';
import { GROUP } from '../../../../support/world/scheduler.ts';
import { AwsError } from '../../../../../infra/embedded/call.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const create = ({ service }: World, more: Record<string, unknown> = {}) =>
  service.call('CreateSchedule', aSchedule(more, { Input: '<aws.scheduler.scheduled-time>' }));
const bodies = ({ made }: World) => made.map(({ input }) => input['MessageBody']);
describe('after a restart', () => {
  test('schedules are unchanged', async () => {
    const world = await aWorld();
    await create(world, { ScheduleExpressionTimezone: 'Etc/UTC' });
    const before = world.stored();
    const again = await world.reopen(10 * MINUTE);
    expect(again.stored()).toEqual(before);
    await again.advance(HOUR);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
  });

  test('a deleted schedule stays deleted, and a one-time schedule fires only once', async () => {
    const world = await aWorld();
    await create(world, { Name: 'a' });
    await create(world, { Name: 'b', ScheduleExpression: 'at(2026-01-01T02:00:00)' });
    await world.service.call('DeleteSchedule', { Name: 'b', GroupName: GROUP });
    await world.advance(HOUR);
    const again = await world.reopen();
    await again.advance(2 * HOUR);
    expect(bodies(again)).toEqual([]);
    expect(await again.names()).toEqual(['a']);
  });

  test('a missed one-time schedule fires immediately', async () => {
    const world = await aWorld();
    await create(world, { ActionAfterCompletion: 'DELETE' });
    const again = await world.reopen(24 * HOUR);
    await again.advance(0);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
    expect(await again.names()).toEqual([]);
  });

  test.each(['rate(1 hour)', 'cron(0 * * * ? *)'])(
    'one call stands for all missed occurrences of %s',
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

  test('a failed call is repeated, although its schedule was deleted', async () => {
    const world = await aWorld();
    world.responses.push(new AwsError('InternalError', '', { statusCode: 500 }));
    await create(world, { ActionAfterCompletion: 'DELETE' });
    await world.advance(HOUR);
    expect(bodies(world)).toHaveLength(1);
    expect(await world.names()).toEqual([]);
    const again = await world.reopen();
    await again.advance(MINUTE);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
    const third = await again.reopen();
    await third.advance(HOUR);
    expect(bodies(third)).toEqual([]);
  });

  test('a call in progress when the process ended is repeated', async () => {
    const world = await aWorld();
    world.responses.push('never');
    await create(world, { ActionAfterCompletion: 'DELETE' });
    await world.advance(HOUR);
    expect(bodies(world)).toHaveLength(1);
    const again = await world.crash();
    await again.advance(0);
    expect(bodies(again)).toEqual(['2026-01-01T01:00:00Z']);
  });
});
