import { named, roleArn, type ResourceType } from '../resource-type.ts';

export const role: ResourceType = {
  properties: {
    RoleName: 'interpreted',
    AssumeRolePolicyDocument: 'interpreted',
    ManagedPolicyArns: 'interpreted',
    'Policies[].PolicyName': 'interpreted',
    'Policies[].PolicyDocument': 'interpreted',
    Description: 'without effect here, because nothing reads it',
    MaxSessionDuration: 'without effect here, because sessions last as long as the service runs',
    Tags: 'without effect here, because nothing reads them',
  },
  identify({ logicalId, text }) {
    const name = text('RoleName') ?? logicalId;
    return { ref: name, attributes: { Arn: roleArn(name) } };
  },
};

export const policy: ResourceType = {
  properties: { PolicyName: 'interpreted', PolicyDocument: 'interpreted', Roles: 'interpreted' },
  identify: named,
};
