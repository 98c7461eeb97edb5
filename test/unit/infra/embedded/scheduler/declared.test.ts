import { expect, test } from 'vitest';
import { aSchedule, aWorld, type World } from '../../../contract/scheduler/paths.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const declared = (more: Record<string, unknown> = {}) =>
  aSchedule({ Name: 'Hourly', ScheduleExpression: 'cron(35 * * * ? *)', ...more }, { Input: 'declared' });
const calls = ({ made }: World) => made.map(({ input, at }) => [input['MessageBody'], at.slice(11, 16)]);

test('a schedule of the template fires, and goes on over a restart, with one call for what it missed', async () => {
  const world = await aWorld();
  await world.service.declare([declared()]);
  await world.advance(HOUR);
  expect(calls(world)).toEqual([['declared', '00:35']]);
  const again = await world.reopen(5 * HOUR + 10 * MINUTE);
  await again.service.declare([declared()]);
  await again.advance(0);
  expect(calls(again)).toEqual([['declared', '06:10']]);
  await again.advance(HOUR);
  expect(calls(again)).toEqual([
    ['declared', '06:10'],
    ['declared', '06:35'],
  ]);
});

test('a schedule that changed in the template is replaced, and one that left it is removed; those of functions stay', async () => {
  const world = await aWorld();
  await world.service.call('CreateSchedule', aSchedule({ Name: 'own' }));
  await world.service.declare([declared(), declared({ Name: 'Other' })]);
  const again = await world.reopen();
  await again.service.declare([declared({ ScheduleExpression: 'cron(0 * * * ? *)' })]);
  expect((await again.names()).sort()).toEqual(['Hourly', 'own']);
  expect(again.stored('Hourly')?.scheduleExpression).toBe('cron(0 * * * ? *)');
  const last = await again.reopen();
  await last.service.declare([]);
  expect(await last.names()).toEqual(['own']);
});

test('a schedule of the template must name a group and a role that it has', async () => {
  const world = await aWorld({ canAssume: () => false });
  await expect(world.service.declare([declared()])).rejects.toThrow('must allow AWS EventBridge Scheduler');
  await expect(world.service.declare([declared({ GroupName: 'none' })])).rejects.toThrow('none does not exist');
});
