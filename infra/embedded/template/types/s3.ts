import { named, type ResourceType } from '../resource-type.ts';

const oneVersion = 'without effect here, because a deleted object is gone: a backup has the objects of its moment';

export const bucket: ResourceType = {
  holdsData: true,
  properties: {
    'LifecycleConfiguration.Rules[].Status': 'interpreted',
    'LifecycleConfiguration.Rules[].Prefix': 'interpreted',
    'LifecycleConfiguration.Rules[].ExpirationInDays': 'interpreted',
    'LifecycleConfiguration.Rules[].NoncurrentVersionExpiration.NoncurrentDays': oneVersion,
    'LifecycleConfiguration.Rules[].ExpiredObjectDeleteMarker': oneVersion,
    'VersioningConfiguration.Status': oneVersion,
    BucketEncryption: 'without effect here, because the disk is encrypted by its owner',
    LoggingConfiguration: 'without effect here, because only the service reaches the bucket',
    PublicAccessBlockConfiguration: 'without effect here, because there are no public policies or lists to block',
    'OwnershipControls.Rules': 'without effect here, because there are no access control lists',
    Tags: 'without effect here, because nothing reads them',
  },
  identify({ logicalId }) {
    // Bucket names are in lower case; logical ids are not.
    const name = logicalId.toLowerCase();
    return { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } };
  },
};

export const bucketPolicy: ResourceType = {
  properties: { Bucket: 'interpreted', PolicyDocument: 'interpreted' },
  identify: named,
};
