import { roleArn, type ResourceType } from '../resource-type.ts';

export const role: ResourceType = {
  properties: {
    AssumeRolePolicyDocument: 'interpreted',
    'Policies[].PolicyName': 'interpreted',
    'Policies[].PolicyDocument': 'interpreted',
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId }) => ({ ref: logicalId, attributes: { Arn: roleArn(logicalId) } }),
};
