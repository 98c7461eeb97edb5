import type { Input, Output } from '../../call.ts';
import { responseBody } from '../body.ts';
import type { S3Context } from '../context.ts';
import { checkMembers, keyOf, text } from '../members.ts';
import { bucketIn, checkPreconditions, checksumMembers, existingObject, readBody } from '../object-access.ts';
import { byteRange } from '../range.ts';

const MEMBERS = ['Bucket', 'Key', 'Range', 'IfMatch', 'ChecksumMode'];

export async function getObject(input: Input, context: S3Context, role: string): Promise<Output> {
  checkMembers('GetObject', MEMBERS, input);
  const bucket = bucketIn(input, context);
  const key = keyOf(input);
  const object = existingObject(bucket, key, role, context);
  checkPreconditions(input, object, key);
  const range = byteRange(text(input, 'Range'), object.size);
  const { start, end } = range ?? { start: 0, end: object.size - 1 };
  const { etag, modifiedAt, headers, metadata } = object;
  return {
    AcceptRanges: 'bytes',
    LastModified: new Date(modifiedAt),
    ETag: etag,
    ...headers,
    Metadata: metadata,
    Body: responseBody(await readBody({ bucket, key, object }, { start, end }, context)),
    ContentLength: end - start + 1,
    ...(range && { ContentRange: `bytes ${start}-${end}/${object.size}` }),
    ...(!range && input['ChecksumMode'] === 'ENABLED' && checksumMembers(object)),
  };
}
