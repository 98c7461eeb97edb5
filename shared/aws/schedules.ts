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
  /** `rate(5 minutes)`, `cron(…)`, or a time, after which the schedule deletes itself. */
  when: { expression: string; timezone?: string } | { at: Date };
  /** First firing of a rate schedule. */
  startAt?: Date;
  queueArn: string;
  /** Message group, for a FIFO queue. */
  groupId?: string;
  /** JSON; the scheduler replaces `<aws.scheduler.scheduled-time>` by the nominal time. */
  input: string;
}

export type Schedules = ReturnType<typeof createSchedules>;

export interface ScheduleOptions {
  scheduler: () => SchedulerClient;
  groupName: string;
  roleArn: string;
  /** The queue for messages that schedules could not send. */
  deadLettersArn: string;
}

/** EventBridge Scheduler replaces this by the nominal time. */
export const SCHEDULED_TIME = '<aws.scheduler.scheduled-time>';

const named = (error: unknown, name: string) => error instanceof Error && error.name === name;

/** `at(…)` has a resolution of one second; rounds up, so that the schedule never fires early. */
const atExpression = (at: Date) => `at(${new Date(Math.ceil(at.getTime() / 1000) * 1000).toISOString().slice(0, 19)})`;

export function createSchedules({ scheduler, groupName, roleArn, deadLettersArn }: ScheduleOptions) {
  const inputOf = ({ name, when, startAt, queueArn, groupId, input }: Schedule): CreateScheduleCommandInput => ({
    Name: name,
    GroupName: groupName,
    ScheduleExpression: 'at' in when ? atExpression(when.at) : when.expression,
    ...('timezone' in when && when.timezone !== undefined ? { ScheduleExpressionTimezone: when.timezone } : {}),
    ...('at' in when ? { ActionAfterCompletion: 'DELETE' as const } : {}),
    ...(startAt ? { StartDate: startAt } : {}),
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: queueArn,
      RoleArn: roleArn,
      DeadLetterConfig: { Arn: deadLettersArn },
      Input: input,
      ...(groupId === undefined ? {} : { SqsParameters: { MessageGroupId: groupId } }),
    },
  });

  return {
    async put(schedule: Schedule): Promise<void> {
      const input = inputOf(schedule);
      try {
        await scheduler().send(new CreateScheduleCommand(input));
      } catch (error) {
        if (!named(error, 'ConflictException')) throw error;
        await scheduler().send(new UpdateScheduleCommand(input));
      }
    },
    /** Creates the schedule unless one with this name exists. */
    async create(schedule: Schedule): Promise<void> {
      try {
        await scheduler().send(new CreateScheduleCommand(inputOf(schedule)));
      } catch (error) {
        if (!named(error, 'ConflictException')) throw error;
      }
    },
    /** Succeeds also when the schedule does not exist. */
    async delete(name: string): Promise<void> {
      try {
        await scheduler().send(new DeleteScheduleCommand({ Name: name, GroupName: groupName }));
      } catch (error) {
        if (!named(error, 'ResourceNotFoundException')) throw error;
      }
    },
  };
}
