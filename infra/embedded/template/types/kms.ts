import { arn, type ResourceType } from '../resource-type.ts';

const ownKeyFile = 'without effect here, because the key is a file in the data directory';

export const key: ResourceType = {
  holdsData: true,
  properties: {
    Description: 'without effect here, because nothing reads it',
    EnableKeyRotation: ownKeyFile,
    RotationPeriodInDays: ownKeyFile,
    PendingWindowInDays: ownKeyFile,
    Enabled: 'interpreted',
    KeySpec: 'interpreted',
    KeyUsage: 'interpreted',
    KeyPolicy: "without effect here, because it leaves everything to the roles' own policies",
    Tags: 'without effect here, because nothing reads them',
  },
  identify: ({ logicalId }) => ({
    ref: logicalId,
    attributes: { Arn: arn('kms', `key/${logicalId}`), KeyId: logicalId },
  }),
};

export const alias: ResourceType = {
  properties: { AliasName: 'interpreted', TargetKeyId: 'interpreted' },
  identify: ({ logicalId, text }) => ({ ref: text('AliasName') ?? logicalId, attributes: {} }),
};
