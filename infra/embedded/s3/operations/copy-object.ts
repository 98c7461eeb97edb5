import type { Input, Output } from '../../call.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, noSuchBucket } from '../errors.ts';
import { checkMembers, copySourceOf, keyOf } from '../members.ts';
import { bucketIn, existingObject, modificationTime, readBody } from '../object-access.ts';

const copyOntoItself = () =>
  invalidRequest(
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  );

const MEMBERS = ['Bucket', 'Key', 'CopySource'];

export async function copyObject(input: Input, context: S3Context, role: string): Promise<Output> {
  checkMembers('CopyObject', MEMBERS, input);
  const { files, objects, hasBucket, maxPutBytes } = context;
  const bucket = bucketIn(input, context);
  const key = keyOf(input);
  const source = copySourceOf(input);
  if (!hasBucket(source.bucket)) throw noSuchBucket(source.bucket);
  if (source.bucket === bucket && source.key === key) throw copyOntoItself();
  const object = existingObject(source.bucket, source.key, role, context);
  const { size, etag, headers } = object;
  const chunks = await readBody({ ...source, object }, context);
  const received = await files.receive(chunks, { length: size, maxBytes: maxPutBytes });
  const modifiedAt = modificationTime(context);
  await objects.put(bucket, key, { headers, size, etag, modifiedAt }, received.content);
  return { CopyObjectResult: { ETag: etag, LastModified: new Date(modifiedAt) } };
}
