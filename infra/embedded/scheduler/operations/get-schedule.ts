import type { Input, Output } from '../../call.ts';
import type { SchedulerContext } from '../context.ts';
import { existingSchedule } from '../schedule-changes.ts';

export function getSchedule(input: Input, context: SchedulerContext): Promise<Output> {
  const schedule = existingSchedule(input, context);
  const { target, startDate, ...definition } = schedule.definition;
  return Promise.resolve({
    ...context.summaryOf(schedule),
    ScheduleExpression: definition.scheduleExpression,
    ScheduleExpressionTimezone: definition.timezone,
    ...(startDate === undefined ? {} : { StartDate: new Date(startDate) }),
    ActionAfterCompletion: definition.actionAfterCompletion,
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: {
      Arn: target.arn,
      RoleArn: target.roleArn,
      Input: target.input,
      ...(target.deadLetterArn === undefined ? {} : { DeadLetterConfig: { Arn: target.deadLetterArn } }),
      ...(target.messageGroupId === undefined ? {} : { SqsParameters: { MessageGroupId: target.messageGroupId } }),
    },
  });
}
