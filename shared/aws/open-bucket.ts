import { type Bucket, createBucket } from './bucket.ts';
import { s3Client } from './clients.ts';

/** A bucket with a client of its own: a function can load this file when it first needs an object. */
export function openBucket(name: string): Bucket {
  const client = s3Client();
  return createBucket(() => client, name);
}
