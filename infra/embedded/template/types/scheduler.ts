import { arn, type ResourceType } from '../resource-type.ts';

export const scheduleGroup: ResourceType = {
  holdsData: true,
  properties: {
    Name: 'interpreted',
    Tags: 'without effect here, because nothing reads them',
  },
  identify({ logicalId, text }) {
    const name = text('Name') ?? logicalId;
    return { ref: name, attributes: { Arn: arn('scheduler', `schedule-group/${name}`) } };
  },
};

export const schedule: ResourceType = {
  properties: {
    Name: 'interpreted',
    GroupName: 'interpreted',
    ScheduleExpression: 'interpreted',
    ScheduleExpressionTimezone: 'interpreted',
    State: 'interpreted',
    StartDate: 'interpreted',
    EndDate: 'interpreted',
    'FlexibleTimeWindow.Mode': 'interpreted',
    'FlexibleTimeWindow.MaximumWindowInMinutes': 'interpreted',
    'Target.Arn': 'interpreted',
    'Target.RoleArn': 'interpreted',
    'Target.Input': 'interpreted',
    'Target.RetryPolicy.MaximumEventAgeInSeconds': 'interpreted',
    'Target.RetryPolicy.MaximumRetryAttempts': 'interpreted',
    'Target.DeadLetterConfig.Arn': 'interpreted',
    'Target.SqsParameters.MessageGroupId': 'interpreted',
    Description: 'without effect here, because nothing reads it',
  },
  identify({ logicalId, text }) {
    const name = text('Name') ?? logicalId;
    return {
      ref: name,
      attributes: { Arn: arn('scheduler', `schedule/${text('GroupName') ?? 'default'}/${name}`) },
    };
  },
};
