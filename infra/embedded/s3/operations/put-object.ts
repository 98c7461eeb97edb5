import type { Input, Output } from '../../call.ts';
import { chunksOf } from '../body.ts';
import type { S3Context } from '../context.ts';
import { checkMembers, keyOf, text } from '../members.ts';
import { bucketIn, modificationTime } from '../object-access.ts';

/** Nothing here sends metadata, conditions or checksums. */
const MEMBERS = ['Bucket', 'Key', 'Body', 'ContentLength', 'ContentType'];

export async function putObject(input: Input, context: S3Context): Promise<Output> {
  checkMembers('PutObject', MEMBERS, input);
  const { files, objects, maxPutBytes } = context;
  const bucket = bucketIn(input, context);
  const key = keyOf(input);
  const headers = { ContentType: text(input, 'ContentType') ?? 'application/octet-stream' };
  const length = input['ContentLength'] === undefined ? undefined : Number(input['ContentLength']);
  const expectation = { length, maxBytes: maxPutBytes };
  const body = input['Body'];
  const received = await (length === undefined && body instanceof Uint8Array
    ? files.receiveBytes(body, expectation)
    : files.receive(chunksOf(body), expectation));
  const { size, etag, content } = received;
  const object = { headers, size, etag: `"${etag}"`, modifiedAt: modificationTime(context) };
  await objects.put(bucket, key, object, content);
  return { ETag: object.etag };
}
