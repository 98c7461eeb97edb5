import { arn, named, type ResourceType } from '../resource-type.ts';

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

/** A schedule of the template. Its name is its logical id, because the template needs none. */
export const schedule: ResourceType = {
  properties: {
    GroupName: 'interpreted',
    ScheduleExpression: 'interpreted',
    'FlexibleTimeWindow.Mode': 'interpreted',
    'Target.Arn': 'interpreted',
    'Target.RoleArn': 'interpreted',
    'Target.DeadLetterConfig.Arn': 'interpreted',
    'Target.Input': 'interpreted',
  },
  identify: named,
};
