import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  CfnBucketPolicy,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type ObjectPrefix, objectPrefixes } from '../../shared/aws/object-keys.ts';
import type { ServiceFunction } from './service-function.ts';
import type { StoredDataProps } from './stored-data.ts';

/** Deleted objects can be made current again for this long, as the table can be restored to an earlier time. */
const KEPT_DAYS = 30;

type Action = 'GetObject' | 'PutObject' | 'DeleteObject' | 'List';

/** Bucket for code, bundles, and data too large for an item or a message. */
export class ObjectStore extends Construct {
  readonly bucket: Bucket | IBucket;
  readonly kmsKeyArn: string | undefined;

  /** `kmsKeyArn` encrypts the bucket; undefined for a key of S3. */
  constructor(
    scope: Construct,
    id: string,
    { removalPolicy, adopt, kmsKeyArn }: StoredDataProps & { kmsKeyArn: string | undefined },
  ) {
    super(scope, id);
    this.kmsKeyArn = kmsKeyArn;
    if (adopt !== undefined) {
      this.bucket = Bucket.fromBucketName(this, 'Bucket', adopt);
      return;
    }
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy,
      versioned: true,
      lifecycleRules: [
        { noncurrentVersionExpiration: Duration.days(KEPT_DAYS), expiredObjectDeleteMarker: true },
        ...Object.entries(objectPrefixes).flatMap(([prefix, { expiresAfterDays: days }]) =>
          days === undefined
            ? []
            : [
                {
                  prefix: `${prefix}/`,
                  expiration: Duration.days(days),
                  // Nothing needs an object after its lifetime.
                  noncurrentVersionExpiration: Duration.days(1),
                },
              ],
        ),
      ],
    });
    this.refusePlainHttp(removalPolicy);
  }

  /** The policy is kept with the bucket, because a stack that adopts a bucket changes nothing of it. */
  private refusePlainHttp(removalPolicy: RemovalPolicy): void {
    const refused = new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['s3:*'],
      resources: [this.bucket.bucketArn, this.bucket.arnForObjects('*')],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    new CfnBucketPolicy(this, 'Policy', {
      bucket: this.bucket.bucketName,
      policyDocument: new PolicyDocument({ statements: [refused] }),
    }).applyRemovalPolicy(removalPolicy);
  }

  /**
   * Grants actions by prefix: `{ bundles: ['GetObject'], … }`. A function that reads objects may list them: S3 answers
   * 403 for a missing object, as for a refused read, and only the list tells them apart.
   */
  grant(to: ServiceFunction, uses: Partial<Record<ObjectPrefix, readonly Action[]>>): void {
    const listed: string[] = [];
    for (const [prefix, actions] of Object.entries(uses)) {
      if (actions.includes('GetObject') || actions.includes('List')) listed.push(`${prefix}/*`);
      for (const action of actions.filter((each) => each !== 'List'))
        to.allow([`s3:${action}`], [this.bucket.arnForObjects(`${prefix}/*`)]);
    }
    if (listed.length > 0)
      to.allow(['s3:ListBucket'], [this.bucket.bucketArn], { StringLike: { 's3:prefix': listed } });
    if (this.kmsKeyArn !== undefined) this.grantKey(to, this.kmsKeyArn, new Set(Object.values(uses).flat()));
    to.env('BUCKET_NAME', this.bucket.bucketName);
  }

  /**
   * S3 uses the key on behalf of the caller.
   * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
   */
  private grantKey(to: ServiceFunction, key: string, actions: ReadonlySet<Action>): void {
    const byS3 = { StringEquals: { 'kms:ViaService': `s3.${Stack.of(this).region}.amazonaws.com` } };
    if (actions.has('GetObject')) to.allow(['kms:Decrypt'], [key], byS3);
    if (actions.has('PutObject')) to.allow(['kms:GenerateDataKey'], [key], byS3);
  }
}
