import {
  CreateScheduleCommand,
  DeleteScheduleCommand,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createSchedules } from '../../../../shared/aws/schedules.ts';

const scheduler = mockClient(SchedulerClient);
beforeEach(() => scheduler.reset());
afterAll(() => scheduler.restore());
const client = new SchedulerClient({ region: 'us-east-1' });
const schedules = createSchedules({
  scheduler: () => client,
  groupName: 'g',
  roleArn: 'arn:role',
  deadLettersArn: 'arn:dead',
});
const conflict = Object.assign(new Error('exists'), { name: 'ConflictException' });
const missing = Object.assign(new Error('none'), { name: 'ResourceNotFoundException' });
const one = { name: 'n', when: { at: new Date('2026-01-01T00:00:00.001Z') }, queueArn: 'arn:q', input: '{}' };

describe('a schedule', () => {
  test('of a moment fires at the next whole second and deletes itself', async () => {
    scheduler.on(CreateScheduleCommand).resolves({});
    await schedules.create(one);
    expect(scheduler.commandCalls(CreateScheduleCommand)[0]?.args[0].input).toMatchObject({
      GroupName: 'g',
      ScheduleExpression: 'at(2026-01-01T00:00:01)',
      ActionAfterCompletion: 'DELETE',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn: 'arn:q', RoleArn: 'arn:role', DeadLetterConfig: { Arn: 'arn:dead' }, Input: '{}' },
    });
  });

  test('that exists is created no second time, and replaced when it is put', async () => {
    scheduler.on(CreateScheduleCommand).rejects(conflict);
    scheduler.on(UpdateScheduleCommand).resolves({});
    await schedules.create(one);
    expect(scheduler.commandCalls(UpdateScheduleCommand)).toHaveLength(0);
    await schedules.put(one);
    expect(scheduler.commandCalls(UpdateScheduleCommand)).toHaveLength(1);
  });

  test('that is gone is deleted', async () => {
    scheduler.on(DeleteScheduleCommand).rejects(missing);
    await schedules.delete('n');
  });

  test('that the service refuses is an error', async () => {
    scheduler.on(CreateScheduleCommand).rejects(new Error('throttled'));
    await expect(schedules.create(one)).rejects.toThrow('throttled');
    await expect(schedules.put(one)).rejects.toThrow('throttled');
  });
});
