import {
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  type SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';

export interface Schedule {
  /** At most 64 characters of [A-Za-z0-9_.-]. */
  name: string;
  /** `rate(5 minutes)`, `cron(…)`, or a moment, after which the schedule deletes itself. */
  when: { expression: string; timezone?: string } | { at: Date };
  /** Rate schedules fire for the first time at this moment. */
  startAt?: Date;
  queueArn: string;
  /** Of a FIFO queue. */
  groupId?: string;
  /** JSON, with the message's `<aws.scheduler.scheduled-time>` where it wants the nominal time. */
  input: string;
}

export interface Schedules {
  /** Creates the schedule, or replaces the one of that name. */
  put(schedule: Schedule): Promise<void>;
  /** Creates the schedule unless one of that name exists already. */
  create(schedule: Schedule): Promise<void>;
  /** Done also when there is none. */
  delete(name: string): Promise<void>;
}

export interface ScheduleOptions {
  scheduler: SchedulerClient;
  groupName: string;
  /** The role that schedules send with. */
  roleArn: string;
}

/** Filled in by EventBridge Scheduler when it fires. */
export const SCHEDULED_TIME = '<aws.scheduler.scheduled-time>';

const named = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** `at(…)` takes whole seconds; never earlier than asked. */
const atExpression = (at: Date) =>
  `at(${new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().slice(0, 19)})`;

export function createSchedules({ scheduler, groupName, roleArn }: ScheduleOptions): Schedules {
  const inputOf = ({
    name,
    when,
    startAt,
    queueArn,
    groupId,
    input,
  }: Schedule): CreateScheduleCommandInput => ({
    Name: name,
    GroupName: groupName,
    ScheduleExpression: 'at' in when ? atExpression(when.at) : when.expression,
    ...('timezone' in when && when.timezone !== undefined
      ? { ScheduleExpressionTimezone: when.timezone }
      : {}),
    ...('at' in when ? { ActionAfterCompletion: 'DELETE' as const } : {}),
    ...(startAt ? { StartDate: startAt } : {}),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: queueArn,
      RoleArn: roleArn,
      Input: input,
      ...(groupId === undefined ? {} : { SqsParameters: { MessageGroupId: groupId } }),
    },
  });

  return {
    async put(schedule) {
      const input = inputOf(schedule);
      try {
        await scheduler.send(new CreateScheduleCommand(input));
      } catch (error) {
        if (!named(error, 'ConflictException')) throw error;
        await scheduler.send(new UpdateScheduleCommand(input));
      }
    },
    async create(schedule) {
      try {
        await scheduler.send(new CreateScheduleCommand(inputOf(schedule)));
      } catch (error) {
        if (!named(error, 'ConflictException')) throw error;
      }
    },
    async delete(name) {
      try {
        await scheduler.send(new DeleteScheduleCommand({ Name: name, GroupName: groupName }));
      } catch (error) {
        if (!named(error, 'ResourceNotFoundException')) throw error;
      }
    },
  };
}
