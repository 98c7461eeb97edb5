import {
  CreateScheduleCommand,
  CreateScheduleGroupCommand,
  DeleteScheduleCommand,
  DeleteScheduleGroupCommand,
  GetScheduleGroupCommand,
} from '@aws-sdk/client-scheduler';
import { schedulerClient } from '../../../../shared/aws/clients.ts';
import { type Check, hold, Refuted } from './claim.ts';

const GONE_WITHIN_MS = 120_000;
const TICK_WITHIN_MS = 200_000;

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));

const trust: Check = {
  name: 'trust',
  claim: 'EventBridge Scheduler takes the role of schedules only for the group of the stack.',
  async ask(subject) {
    const { schedulesRoleArn: RoleArn, queues } = subject.operator.names;
    const scheduler = schedulerClient();
    const [, partition = '', , , account = ''] = RoleArn.split(':');
    const queueName = queues.timers.url.split('/').at(-1) ?? '';
    const Arn = `arn:${partition}:sqs:${await scheduler.config.region()}:${account}:${queueName}`;
    const schedule = { GroupName: 'default', Name: subject.uniqueName() };
    const request = new CreateScheduleCommand({
      ...schedule,
      ScheduleExpression: 'at(2099-01-01T00:00:00)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: { Arn, RoleArn, Input: '{}' },
    });
    const error = await scheduler.send(request).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (error === undefined) {
      await scheduler.send(new DeleteScheduleCommand(schedule));
      throw new Refuted('It accepted a schedule of the group default');
    }
    if (!(error instanceof Error && error.message.includes('assume the role'))) throw error;
    return 'a schedule of the group default was refused';
  },
};

const groupName: Check = {
  name: 'group-name',
  claim: 'The name of a deleted schedule group is free again, as a stack needs it that is created after a destroy.',
  async ask(subject) {
    const scheduler = schedulerClient();
    const Name = subject.uniqueName();
    const remove = () => scheduler.send(new DeleteScheduleGroupCommand({ Name }));
    await scheduler.send(new CreateScheduleGroupCommand({ Name }));
    await remove();
    const isGone = await subject.until(GONE_WITHIN_MS, () =>
      scheduler.send(new GetScheduleGroupCommand({ Name })).then(
        () => undefined,
        (error: unknown) => {
          if (nameOf(error) !== 'ResourceNotFoundException') throw error;
          return true;
        },
      ),
    );
    hold(isGone === true, `The group was still there after ${GONE_WITHIN_MS / 1_000} s`);
    await scheduler.send(new CreateScheduleGroupCommand({ Name })).catch((error: unknown) => {
      throw nameOf(error) === 'ConflictException' ? new Refuted('The name is still taken') : error;
    });
    await remove();
    return 'a group was created again under its name';
  },
};

const timer: Check = {
  name: 'timer',
  claim: 'EventBridge Scheduler accepts the schedule of a source and sends its ticks to the queue of triggers.',
  async ask(subject) {
    const { user, id } = await subject.ticker();
    const tick = await subject.until(TICK_WITHIN_MS, async () => (await user.events(id))[0]);
    hold(tick !== undefined, `No tick of a one-minute timer within ${TICK_WITHIN_MS / 1_000} s`);
    return 'a source with a one-minute timer ran';
  },
};

/** The timer is last: its first tick is a minute away. */
export const scheduleChecks = [trust, groupName, timer];
