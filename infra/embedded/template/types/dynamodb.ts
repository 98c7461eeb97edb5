import { arn, type ResourceType } from '../resource-type.ts';

export const globalTable: ResourceType = {
  holdsData: true,
  properties: {
    AttributeDefinitions: 'interpreted',
    KeySchema: 'interpreted',
    BillingMode: 'interpreted',
    'TimeToLiveSpecification.AttributeName': 'interpreted',
    'TimeToLiveSpecification.Enabled': 'interpreted',
    'Replicas[].Region': 'without effect here, because there is one region',
    'Replicas[].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled':
      'without effect here, because a backup is a copy of the data directory',
    'Replicas[].Tags': 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId }) => ({
    ref: logicalId,
    attributes: { Arn: arn('dynamodb', `table/${logicalId}`) },
  }),
};
