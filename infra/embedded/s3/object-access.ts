import { Readable } from 'node:stream';
import type { Input } from '../call.ts';
import type { S3Context } from './context.ts';
import { accessDenied, noSuchBucket, noSuchKey } from './errors.ts';
import { bucketOf } from './members.ts';
import type { StoredObject } from './objects.ts';

/** The bucket that the input names. */
export function bucketIn(input: Input, { hasBucket }: S3Context): string {
  const bucket = bucketOf(input);
  if (!hasBucket(bucket)) throw noSuchBucket(bucket);
  return bucket;
}

/** An object, or the error that S3 gives this role for a missing one. */
export function existingObject(
  bucket: string,
  key: string,
  role: string,
  { objects, isAllowed }: S3Context,
): StoredObject {
  const object = objects.get(bucket, key);
  if (object) return object;
  if (!isAllowed(role, 's3:ListBucket', `arn:aws:s3:::${bucket}`)) throw accessDenied();
  throw noSuchKey(key);
}

/** An object's body, which the caller owns. */
export async function readBody(
  { bucket, key, object }: { bucket: string; key: string; object: StoredObject },
  { files, objects }: S3Context,
): Promise<Readable> {
  if (object.file) return files.read(object.file, object.size);
  const bytes = object.size > 0 ? [new Uint8Array(objects.bytes(bucket, key))] : [];
  return Readable.from(bytes, { objectMode: false });
}

/** HTTP dates have whole seconds. */
export const modificationTime = ({ clock }: S3Context) => Math.floor(clock.now() / 1000) * 1000;
