import { arn, type ResourceType } from '../resource-type.ts';

export const key: ResourceType = {
  holdsData: true,
  properties: {
    Description: 'without effect here, because nothing reads it',
    EnableKeyRotation: 'without effect here, because the key is a file in the data directory',
    KeyPolicy: "without effect here, because it leaves everything to the roles' own policies",
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId }) => ({
    ref: logicalId,
    attributes: { Arn: arn('kms', `key/${logicalId}`) },
  }),
};
