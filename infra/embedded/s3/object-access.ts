import { Readable } from 'node:stream';
import type { Input, Output } from '../call.ts';
import type { S3Context } from './context.ts';
import { accessDenied, noSuchBucket, noSuchKey, preconditionFailed } from './errors.ts';
import { bucketOf, text } from './members.ts';
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

/** A part of an object's body, which the caller owns; `end` is the last byte, included. */
export async function readBody(
  { bucket, key, object }: { bucket: string; key: string; object: StoredObject },
  { start, end }: { start: number; end: number },
  { files, objects }: S3Context,
): Promise<Readable> {
  if (object.file) return files.read(object.file, start, end);
  const bytes = object.size > 0 ? [new Uint8Array(objects.bytes(bucket, key).subarray(start, end + 1))] : [];
  return Readable.from(bytes, { objectMode: false });
}

export function checkPreconditions(input: Input, object: StoredObject | undefined, key: string): void {
  const ifMatch = text(input, 'IfMatch');
  const ifNoneMatch = text(input, 'IfNoneMatch');
  if (ifMatch !== undefined) {
    if (!object) throw noSuchKey(key);
    if (!matchesEtag(ifMatch, object)) throw preconditionFailed('If-Match');
  }
  if (ifNoneMatch !== undefined && object && matchesEtag(ifNoneMatch, object))
    throw preconditionFailed('If-None-Match');
}

const matchesEtag = (condition: string, { etag }: StoredObject) =>
  condition === '*' || unquoted(condition) === unquoted(etag);

const unquoted = (etag: string) => etag.replace(/^"(.*)"$/, '$1');

/** HTTP dates have whole seconds. */
export const modificationTime = ({ clock }: S3Context) => Math.floor(clock.now() / 1000) * 1000;

export const checksumMembers = ({ checksums }: Pick<StoredObject, 'checksums'>): Output => ({
  ...Object.fromEntries(Object.entries(checksums).map(([algorithm, value]) => [`Checksum${algorithm}`, value])),
  ChecksumType: 'FULL_OBJECT',
});
