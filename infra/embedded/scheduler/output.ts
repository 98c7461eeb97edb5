import type { Output } from '../call.ts';
import { validation } from './errors.ts';
import type { Schedule, Schedules } from './schedules.ts';
import { Violations, type Input } from './violations.ts';

/** GetSchedule: https://docs.aws.amazon.com/scheduler/latest/APIReference/API_GetSchedule.html */
export function details({ definition, createdAt, modifiedAt }: Schedule, arn: string): Output {
  const { target, description, startDate, endDate } = definition;
  return {
    ActionAfterCompletion: definition.actionAfterCompletion,
    Arn: arn,
    CreationDate: new Date(createdAt),
    ...(description !== undefined && { Description: description }),
    ...(endDate !== undefined && { EndDate: new Date(endDate) }),
    FlexibleTimeWindow: { Mode: 'OFF' },
    GroupName: definition.groupName,
    LastModificationDate: new Date(modifiedAt),
    Name: definition.name,
    ScheduleExpression: definition.scheduleExpression,
    ScheduleExpressionTimezone: definition.timezone,
    ...(startDate !== undefined && { StartDate: new Date(startDate) }),
    State: definition.state,
    Target: {
      Arn: target.arn,
      RoleArn: target.roleArn,
      ...(target.input !== undefined && { Input: target.input }),
      ...(target.messageGroupId !== undefined && {
        SqsParameters: { MessageGroupId: target.messageGroupId },
      }),
      ...(target.deadLetterArn !== undefined && { DeadLetterConfig: { Arn: target.deadLetterArn } }),
      RetryPolicy: {
        MaximumEventAgeInSeconds: target.maximumEventAgeSeconds,
        MaximumRetryAttempts: target.maximumRetryAttempts,
      },
    },
  };
}

const PAGE = 100;

/** ListSchedules: https://docs.aws.amazon.com/scheduler/latest/APIReference/API_ListSchedules.html */
export function listing(schedules: Schedules, input: Input, arnOf: (schedule: Schedule) => string): Output {
  const violations = new Violations();
  const group = violations.text(input['GroupName'], 'groupName', { max: 64 });
  const prefix =
    violations.text(input['NamePrefix'], 'namePrefix', { max: 64, pattern: /^[0-9a-zA-Z\-_.]+$/ }) ?? '';
  const state = violations.oneOf(input['State'], 'state', ['ENABLED', 'DISABLED'] as const);
  const limit = violations.integer(input['MaxResults'], 'maxResults', { min: 1, max: PAGE }) ?? PAGE;
  const token = violations.text(input['NextToken'], 'nextToken', { max: 2048 });
  violations.throwIfAny();
  const after = token === undefined ? undefined : keyOfToken(token);
  const found = schedules.sorted(
    ({ definition }) =>
      (group === undefined || definition.groupName === group) &&
      definition.name.startsWith(prefix) &&
      (state === undefined || definition.state === state) &&
      (after === undefined || keyOf(definition) > after),
  );
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return {
    Schedules: page.map((schedule) => ({
      Arn: arnOf(schedule),
      CreationDate: new Date(schedule.createdAt),
      GroupName: schedule.definition.groupName,
      LastModificationDate: new Date(schedule.modifiedAt),
      Name: schedule.definition.name,
      State: schedule.definition.state,
      Target: { Arn: schedule.definition.target.arn },
    })),
    ...(found.length > limit && last && { NextToken: tokenOf(keyOf(last.definition)) }),
  };
}

const keyOf = ({ groupName, name }: Schedule['definition']) => `${groupName}/${name}`;
const tokenOf = (key: string) => Buffer.from(key).toString('base64url');

function keyOfToken(token: string): string {
  const key = Buffer.from(token, 'base64url').toString();
  if (!/^[0-9a-zA-Z\-_.]+\/[0-9a-zA-Z\-_.]+$/.test(key) || tokenOf(key) !== token) {
    throw validation('Invalid pagination token provided.');
  }
  return key;
}
