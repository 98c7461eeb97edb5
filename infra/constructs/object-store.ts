import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type ObjectPrefix, objectPrefixes } from '../../shared/aws/object-keys.ts';
import type { ServiceFunction } from './service-function.ts';

type Action = 'GetObject' | 'PutObject' | 'DeleteObject';

/** Bucket for code, bundles, and data too large for an item or a message. */
export class ObjectStore extends Construct {
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: RemovalPolicy.RETAIN,
      lifecycleRules: Object.entries(objectPrefixes).flatMap(([prefix, { expiresAfterDays: days }]) =>
        days === undefined ? [] : [{ prefix: `${prefix}/`, expiration: Duration.days(days) }],
      ),
    });
  }

  /** Grants actions by prefix: `{ bundles: ['GetObject'], … }`. */
  grant(to: ServiceFunction, uses: Partial<Record<ObjectPrefix, readonly Action[]>>): void {
    for (const [prefix, actions] of Object.entries(uses)) {
      for (const action of actions) to.allow([`s3:${action}`], [this.bucket.arnForObjects(`${prefix}/*`)]);
    }
    to.env('BUCKET_NAME', this.bucket.bucketName);
  }
}
