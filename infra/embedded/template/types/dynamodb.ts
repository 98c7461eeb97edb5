import { arn, type ResourceType } from '../resource-type.ts';

export const globalTable: ResourceType = {
  holdsData: true,
  properties: {
    TableName: 'interpreted',
    AttributeDefinitions: 'interpreted',
    KeySchema: 'interpreted',
    BillingMode: 'interpreted',
    'TimeToLiveSpecification.AttributeName': 'interpreted',
    'TimeToLiveSpecification.Enabled': 'interpreted',
    'SSESpecification.SSEEnabled': 'without effect here, because the disk is encrypted by its owner',
    'SSESpecification.SSEType': 'without effect here, because the disk is encrypted by its owner',
    'Replicas[].Region': 'without effect here, because there is one region',
    'Replicas[].PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled':
      'without effect here, because a backup is a copy of the data directory',
    'Replicas[].PointInTimeRecoverySpecification.RecoveryPeriodInDays':
      'without effect here, because a backup is a copy of the data directory',
    'Replicas[].DeletionProtectionEnabled': 'without effect here, because nothing here deletes a table',
    'Replicas[].TableClass': 'without effect here, because it is about prices',
    'Replicas[].Tags': 'without effect here, because nothing reads them',
    'Replicas[].ContributorInsightsSpecification': 'without effect here, because there are no metrics',
  },
  identify({ logicalId, text }) {
    const name = text('TableName') ?? logicalId;
    return { ref: name, attributes: { Arn: arn('dynamodb', `table/${name}`) } };
  },
};
