import type { Input, Output } from '../../call.ts';
import { responseBody } from '../body.ts';
import type { S3Context } from '../context.ts';
import { checkMembers, keyOf } from '../members.ts';
import { bucketIn, existingObject, readBody } from '../object-access.ts';

const MEMBERS = ['Bucket', 'Key'];

export async function getObject(input: Input, context: S3Context, role: string): Promise<Output> {
  checkMembers('GetObject', MEMBERS, input);
  const bucket = bucketIn(input, context);
  const key = keyOf(input);
  const object = existingObject(bucket, key, role, context);
  return {
    LastModified: new Date(object.modifiedAt),
    ETag: object.etag,
    ContentType: object.headers.ContentType,
    Body: responseBody(await readBody({ bucket, key, object }, context)),
    ContentLength: object.size,
  };
}
