import type { RemovalPolicy } from 'aws-cdk-lib';

/** Settings of a resource that stores data. */
export interface StoredDataProps {
  removalPolicy: RemovalPolicy;
  /** Name or ARN of an existing resource to use instead of a new one. */
  adopt: string | undefined;
}
