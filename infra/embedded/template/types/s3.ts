import { named, region, type ResourceType } from '../resource-type.ts';

export const bucket: ResourceType = {
  holdsData: true,
  properties: {
    BucketName: 'interpreted',
    'LifecycleConfiguration.Rules[].Id': 'interpreted',
    'LifecycleConfiguration.Rules[].Status': 'interpreted',
    'LifecycleConfiguration.Rules[].Prefix': 'interpreted',
    'LifecycleConfiguration.Rules[].ExpirationInDays': 'interpreted',
    'LifecycleConfiguration.Rules[].AbortIncompleteMultipartUpload':
      'without effect here, because nothing uploads in parts',
    BucketEncryption: 'without effect here, because the disk is encrypted by its owner',
    PublicAccessBlockConfiguration:
      'without effect here, because there are no public policies or lists to block',
    'OwnershipControls.Rules': 'without effect here, because there are no access control lists',
    Tags: 'without effect here, because nothing reads them',
  },
  identify({ logicalId, text }) {
    // Bucket names are in lower case; logical ids are not.
    const name = text('BucketName') ?? logicalId.toLowerCase();
    const domain = `${name}.s3.amazonaws.com`;
    const regional = `${name}.s3.${region}.amazonaws.com`;
    return {
      ref: name,
      attributes: { Arn: `arn:aws:s3:::${name}`, DomainName: domain, RegionalDomainName: regional },
    };
  },
};

export const bucketPolicy: ResourceType = {
  properties: { Bucket: 'interpreted', PolicyDocument: 'interpreted' },
  identify: named,
};
