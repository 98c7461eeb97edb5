import { describe, expect, test, vi } from 'vitest';
import { AwsError } from '../../../../../infra/embedded/call.ts';
import { randomFaults } from '../../../../../infra/embedded/faults.ts';
import { aSchedule, aWorld, FIFO, type Options } from '../../../contract/scheduler/paths.ts';
import { GROUP, ROLE } from '../../../../support/world/scheduler.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const begin = async (options: Options = {}) => {
  const world = await aWorld(options);
  const create = (more: Record<string, unknown> = {}, target: Record<string, unknown> = {}) =>
    world.service.call('CreateSchedule', aSchedule(more, target));
  const times = () => world.made.map(({ at }) => at.slice(0, 19));
  const names = () => world.names();
  return { world, create, times, names };
};

describe('a one-time schedule', () => {
  test('fires once, at its second, with its role', async () => {
    const { world, create, names } = await begin();
    await create({ ScheduleExpression: 'at(2026-01-01T01:00:30)' });
    await world.advance(HOUR + 30 * SECOND - 1);
    expect(world.made).toEqual([]);
    await world.advance(1);
    expect(world.made).toEqual([
      {
        role: ROLE,
        service: 'SQS',
        operation: 'SendMessage',
        input: { QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/retries', MessageBody: 'hello' },
        at: '2026-01-01T01:00:30.000Z',
      },
    ]);
    await world.advance(DAY);
    expect(world.made).toHaveLength(1);
    expect(await names()).toEqual(['tick']);
  });

  test('deletes itself with ActionAfterCompletion DELETE', async () => {
    const { world, create, names } = await begin();
    await create({ ActionAfterCompletion: 'DELETE' });
    expect(await names()).toEqual(['tick']);
    await world.advance(HOUR);
    expect(world.made).toHaveLength(1);
    expect(await names()).toEqual([]);
  });

  test('is in its time zone', async () => {
    const { world, create, times } = await begin();
    await create({ ScheduleExpression: 'at(2026-01-01T10:00:00)', ScheduleExpressionTimezone: 'Asia/Tokyo' });
    await world.advance(DAY);
    expect(times()).toEqual(['2026-01-01T01:00:00']);
  });

  test('ignores a start date', async () => {
    const { world, create, times } = await begin();
    const at = (ms: number) => new Date(world.clock.now() + ms);
    await create({ StartDate: at(10 * HOUR) });
    await world.advance(DAY);
    expect(times()).toEqual(['2026-01-01T01:00:00']);
  });
});

describe('a rate', () => {
  test('without a start date fires immediately and then at its rate', async () => {
    const { world, create, times } = await begin();
    await create({ ScheduleExpression: 'rate(5 minutes)' });
    await world.advance(0);
    await world.advance(12 * MINUTE);
    expect(times()).toEqual(['2026-01-01T00:00:00', '2026-01-01T00:05:00', '2026-01-01T00:10:00']);
  });

  test('with a start date fires first at that date', async () => {
    const { world, create, times } = await begin();
    const StartDate = new Date(world.clock.now() + 7 * MINUTE + 500);
    await create({ ScheduleExpression: 'rate(1 hour)', StartDate });
    await world.advance(2 * HOUR);
    expect(times()).toEqual(['2026-01-01T00:07:00', '2026-01-01T01:07:00']);
  });

  test('fires only by its new definition after an update', async () => {
    const { world, create, times } = await begin();
    const StartDate = new Date(world.clock.now() + MINUTE);
    await create({ ScheduleExpression: 'rate(1 minute)', StartDate });
    const later = { ScheduleExpression: 'rate(1 hour)', StartDate: new Date(world.clock.now() + HOUR) };
    await world.service.call('UpdateSchedule', aSchedule(later));
    await world.advance(2 * HOUR);
    expect(times()).toEqual(['2026-01-01T01:00:00', '2026-01-01T02:00:00']);
  });
});

describe('a target', () => {
  test('receives the values of the occurrence', async () => {
    const { world, create } = await begin();
    const keys = ['scheduled-time', 'schedule-arn', 'attempt-number', 'execution-id'];
    const Input = JSON.stringify(Object.fromEntries(keys.map((key) => [key, `<aws.scheduler.${key}>`])));
    await create({ ScheduleExpression: 'rate(1 minute)' }, { Input });
    await world.advance(0);
    await world.advance(MINUTE);
    const bodies = world.made.map(({ input }) => JSON.parse(String(input['MessageBody'])) as Record<string, string>);
    expect(bodies).toMatchObject([
      {
        'scheduled-time': '2026-01-01T00:00:00Z',
        'schedule-arn': `arn:aws:scheduler:us-east-1:000000000000:schedule/${GROUP}/tick`,
        'attempt-number': '1',
      },
      { 'scheduled-time': '2026-01-01T00:01:00Z' },
    ]);
    const ids = bodies.map((body) => body['execution-id']);
    expect(ids[0]).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(ids).size).toBe(2);
  });

  test('that is a FIFO queue gets a group id and no deduplication id', async () => {
    const { world, create } = await begin();
    await create({}, { Arn: FIFO, SqsParameters: { MessageGroupId: 'dc_1' } });
    await world.advance(HOUR);
    expect(world.made[0]?.input).toEqual({
      QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/runs.fifo',
      MessageBody: 'hello',
      MessageGroupId: 'dc_1',
    });
  });
});

describe('a call that fails', () => {
  const broken = new AwsError('InternalError', 'broken', { statusCode: 500 });
  const refused = new AwsError('AccessDenied', 'not allowed', { statusCode: 403 });

  test('is repeated with growing waits until it succeeds', async () => {
    const { world, create, times, names } = await begin();
    world.responses.push(broken, new AwsError('ThrottlingException', 'slow down'), new Error('no AWS error'));
    await create({ ActionAfterCompletion: 'DELETE' }, { Input: '<aws.scheduler.attempt-number>' });
    for (let minute = 0; minute < 62; minute += 1) await world.advance(MINUTE);
    expect(world.made.map(({ input }) => input['MessageBody'])).toEqual(['1', '2', '3', '4']);
    expect(times().sort()).toEqual(times());
    expect(await names()).toEqual([]);
    expect(world.dropped).toEqual([]);
  });

  test('is repeated at most 185 times, and is reported then', async () => {
    const { world, create } = await begin();
    world.responses.push(...Array.from({ length: 400 }, () => broken));
    await create();
    for (let minute = 0; minute < 20 * 60; minute += 1) await world.advance(MINUTE);
    expect(world.made).toHaveLength(186);
    expect(world.dropped).toHaveLength(1);
  });

  test('is not repeated more than a day after its time', async () => {
    const { world, create } = await begin();
    world.responses.push(broken);
    await create();
    await world.advance(HOUR);
    const again = await world.reopen(DAY);
    again.responses.push(broken);
    await again.advance(DAY);
    expect(again.made).toHaveLength(1);
    expect(again.dropped).toHaveLength(1);
  });

  test('because it is refused is not repeated, and is reported', async () => {
    const { world, create } = await begin();
    world.responses.push(refused);
    await create();
    await world.advance(2 * HOUR);
    await world.advance(DAY);
    expect(world.made).toHaveLength(1);
    expect(world.dropped.map((arn) => arn.slice(arn.lastIndexOf('/') + 1))).toEqual(['tick']);
  });

  test('for good becomes a dead letter with its reason, after its last attempt', async () => {
    const { world, create } = await begin();
    const DeadLetterConfig = { Arn: 'arn:aws:sqs:us-east-1:000000000000:dead' };
    world.responses.push(refused);
    await create({}, { Input: '<aws.scheduler.scheduled-time>', DeadLetterConfig });
    await world.advance(HOUR);
    expect(world.made.slice(1)).toMatchObject([
      {
        role: ROLE,
        operation: 'SendMessage',
        input: {
          QueueUrl: 'https://sqs.us-east-1.amazonaws.com/000000000000/dead',
          MessageBody: '2026-01-01T01:00:00Z',
          MessageAttributes: {
            ERROR_CODE: { DataType: 'String', StringValue: 'AccessDenied' },
            RETRY_ATTEMPTS: { StringValue: '0' },
            SCHEDULED_TIME: { StringValue: '2026-01-01T01:00:00Z' },
            TARGET_ARN: { StringValue: 'arn:aws:sqs:us-east-1:000000000000:retries' },
          },
        },
      },
    ]);
    expect(world.dropped).toHaveLength(1);
  });

  test('cannot have a FIFO queue for dead letters', async () => {
    const { create } = await begin();
    await expect(create({}, { DeadLetterConfig: { Arn: FIFO } })).rejects.toThrow('deadLetterConfig.arn');
  });

  test('does not hold up the next occurrence', async () => {
    const { world, create, times } = await begin();
    world.responses.push(broken);
    await create({ ScheduleExpression: 'rate(1 minute)' });
    await world.advance(0);
    for (let second = 0; second < 60; second += 1) await world.advance(SECOND);
    expect(times()).toEqual(['2026-01-01T00:00:00', '2026-01-01T00:00:01', '2026-01-01T00:01:00']);
  });
});

describe('with fault injection', () => {
  test('schedules fire late, but within the minute', async () => {
    const faults = randomFaults(1, { 'late-schedule': 1 });
    const { world, create, times } = await begin({ faults });
    await create({}, { Input: '<aws.scheduler.scheduled-time>' });
    await world.advance(HOUR + 58 * SECOND);
    expect(world.made).toEqual([]);
    await world.advance(2 * SECOND);
    expect(times()).toEqual(['2026-01-01T01:00:59']);
    expect(world.made[0]?.input['MessageBody']).toBe('2026-01-01T01:00:00Z');
    expect(faults.counts['late-schedule']).toBe(1);
  });

  test('a late schedule that is deleted before does not fire', async () => {
    const { world, create } = await begin({ faults: randomFaults(1, { 'late-schedule': 1 }) });
    await create();
    await world.advance(HOUR);
    await world.service.call('DeleteSchedule', { Name: 'tick', GroupName: GROUP });
    await world.advance(HOUR);
    expect(world.made).toEqual([]);
  });

  test('schedules fire twice', async () => {
    const { world, create } = await begin({ faults: randomFaults(1, { 'repeated-schedule': 1 }) });
    await create({}, { Input: '<aws.scheduler.scheduled-time>' });
    await world.advance(HOUR);
    expect(world.made.map(({ input }) => input['MessageBody'])).toEqual(Array(2).fill('2026-01-01T01:00:00Z'));
  });
});

describe('many schedules', () => {
  test('5,000 one-time schedules fire in order, with one timer', async () => {
    const { world, create, names } = await begin();
    const wakeAt = vi.spyOn(world.clock, 'wakeAt');
    const due = Array.from({ length: 5000 }, (_, n) => {
      const at = world.clock.now() + HOUR + ((n * 7919) % 5000) * SECOND;
      return `${new Date(at).toISOString().slice(0, 19)}Z`;
    });
    const input = { Input: '<aws.scheduler.scheduled-time>' };
    await Promise.all(
      due.map((at, n) => {
        const ScheduleExpression = `at(${at.slice(0, -1)})`;
        return create({ Name: `s${n}`, ScheduleExpression, ActionAfterCompletion: 'DELETE' }, input);
      }),
    );
    // A schedule sets a new timer only if it is due before all others.
    expect(wakeAt.mock.calls.length).toBeLessThan(50);
    world.clock.advance(DAY);
    await expect.poll(() => world.made.length).toBe(5000);
    expect(world.made.map(({ input: { MessageBody } }) => MessageBody)).toEqual([...due].sort());
    expect(await names()).toEqual([]);
  });
});
