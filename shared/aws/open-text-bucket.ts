import { createTextBucket, type TextBucket } from './bucket.ts';
import { s3Client } from './clients.ts';

/** Text objects, with a client of their own: a function can load this file when it first needs one. */
export function openTextBucket(name: string): TextBucket {
  const client = s3Client();
  return createTextBucket(() => client, name);
}
