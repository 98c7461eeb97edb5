import type { Input, Output } from '../../call.ts';
import { chunksOf } from '../body.ts';
import { checksumAlgorithms } from '../checksum.ts';
import type { S3Context } from '../context.ts';
import { checkMembers, expectedDigests, headersOf, keyOf, metadataOf } from '../members.ts';
import { bucketIn, checkPreconditions, checksumMembers, modificationTime } from '../object-access.ts';
import { storedHeaders } from '../objects.ts';

const MEMBERS = [
  'Bucket',
  'Key',
  'Body',
  'ContentLength',
  'ContentMD5',
  'ChecksumAlgorithm',
  'IfMatch',
  'IfNoneMatch',
  'Metadata',
  ...storedHeaders,
  ...checksumAlgorithms.map((algorithm) => `Checksum${algorithm}`),
];

export async function putObject(input: Input, context: S3Context): Promise<Output> {
  checkMembers('PutObject', MEMBERS, input);
  const { files, objects, maxPutBytes } = context;
  const bucket = bucketIn(input, context);
  const key = keyOf(input);
  const headers = headersOf(input);
  const metadata = metadataOf(input);
  const length = input['ContentLength'] === undefined ? undefined : Number(input['ContentLength']);
  const digests = expectedDigests(input);
  const expectation = { length, digests, maxBytes: maxPutBytes };
  const body = input['Body'];
  const isPlain = length === undefined && Object.keys(digests).length === 0;
  const received = await (isPlain && body instanceof Uint8Array
    ? files.receiveBytes(body, expectation)
    : files.receive(chunksOf(body), expectation));
  try {
    checkPreconditions(input, objects.get(bucket, key), key);
  } catch (error) {
    if ('file' in received.content) await files.remove(received.content.file);
    throw error;
  }
  const { size, etag, checksums, content } = received;
  const modifiedAt = modificationTime(context);
  const object = { headers, metadata, size, etag: `"${etag}"`, modifiedAt, checksums };
  await objects.put(bucket, key, object, content);
  return { ETag: object.etag, ...checksumMembers(object) };
}
