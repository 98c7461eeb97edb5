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
