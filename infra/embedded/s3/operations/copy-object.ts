import type { Input, Output } from '../../call.ts';
import type { S3Context } from '../context.ts';
import { invalidRequest, noSuchBucket } from '../errors.ts';
import { checkMembers, copySourceOf, headersOf, keyOf, metadataOf } from '../members.ts';
import { bucketIn, checksumMembers, existingObject, modificationTime, readBody } from '../object-access.ts';
import { storedHeaders } from '../objects.ts';

const copyOntoItself = () =>
  invalidRequest(
    "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.",
  );

const MEMBERS = ['Bucket', 'Key', 'CopySource', 'MetadataDirective', 'Metadata', ...storedHeaders];

export async function copyObject(input: Input, context: S3Context, role: string): Promise<Output> {
  checkMembers('CopyObject', MEMBERS, input);
  const { files, objects, hasBucket, maxPutBytes } = context;
  const bucket = bucketIn(input, context);
  const key = keyOf(input);
  const source = copySourceOf(input);
  if (!hasBucket(source.bucket)) throw noSuchBucket(source.bucket);
  const replaces = input['MetadataDirective'] === 'REPLACE';
  if (!replaces && source.bucket === bucket && source.key === key) throw copyOntoItself();
  const object = existingObject(source.bucket, source.key, role, context);
  const { size, etag, checksums } = object;
  const chunks = await readBody({ ...source, object }, { start: 0, end: size - 1 }, context);
  const received = await files.receive(chunks, { length: size, digests: {}, maxBytes: maxPutBytes });
  const { headers, metadata } = replaces ? { headers: headersOf(input), metadata: metadataOf(input) } : object;
  const modifiedAt = modificationTime(context);
  const copy = { headers, metadata, size, etag, modifiedAt, checksums };
  await objects.put(bucket, key, copy, received.content);
  const CopyObjectResult = {
    ETag: etag,
    LastModified: new Date(modifiedAt),
    ...checksumMembers(object),
  };
  return { CopyObjectResult };
}
