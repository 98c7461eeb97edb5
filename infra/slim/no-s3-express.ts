import { leftOut } from './left-out.ts';

/** Stands in for the sessions of S3 Express, whose buckets no stack of ours has. */
export class S3ExpressIdentityProviderImpl {
  getS3ExpressIdentity = leftOut('S3 Express');
}
