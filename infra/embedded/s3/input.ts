import { checksumAlgorithms, type Expected } from './checksum.ts';
import { invalidArgument, invalidRequest, keyTooLong, metadataTooLarge, notImplemented } from './errors.ts';
import { storedHeaders, type StoredHeaders } from './objects.ts';

export type Input = Readonly<Record<string, unknown>>;

/** UTF-8 bytes. https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const MAX_KEY_BYTES = 1024;
/** UTF-8 bytes of all names and values. https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const MAX_METADATA_BYTES = 2048;

const checksumMembers = checksumAlgorithms.map((algorithm) => `Checksum${algorithm}`);

/** The members that are understood; any other is refused rather than ignored. */
const members: Readonly<Record<string, readonly string[]>> = {
  PutObject: [
    ...[
      'Bucket',
      'Key',
      'Body',
      'ContentLength',
      'ContentMD5',
      'ChecksumAlgorithm',
      'IfMatch',
      'IfNoneMatch',
      'Metadata',
    ],
    ...storedHeaders,
    ...checksumMembers,
  ],
  GetObject: ['Bucket', 'Key', 'Range', 'IfMatch', 'ChecksumMode'],
  HeadObject: ['Bucket', 'Key', 'IfMatch', 'ChecksumMode'],
  DeleteObject: ['Bucket', 'Key'],
  DeleteObjects: ['Bucket', 'Delete', 'ChecksumAlgorithm', 'ContentMD5', ...checksumMembers],
  CopyObject: ['Bucket', 'Key', 'CopySource', 'MetadataDirective', 'Metadata', ...storedHeaders],
  ListObjectsV2: ['Bucket', 'Prefix', 'Delimiter', 'MaxKeys', 'ContinuationToken', 'StartAfter'],
};

export function checkMembers(operation: string, input: Input): void {
  const known = members[operation];
  if (!known) throw notImplemented(`The operation ${operation}`);
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && !known.includes(name)) throw notImplemented(`${operation} with ${name}`);
  }
}

export function text(input: Input, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidArgument(`${name} is not a string.`);
}

export function bucketOf(input: Input): string {
  const bucket = text(input, 'Bucket');
  // The SDK refuses both before it sends anything, with these words.
  if (bucket === undefined) throw new Error('No value provided for input HTTP label: Bucket.');
  if (bucket === '') throw new Error('Empty value provided for input HTTP label: Bucket.');
  return bucket;
}

export function keyOf(input: Input): string {
  const key = text(input, 'Key');
  if (key === undefined) throw new Error('No value provided for input HTTP label: Key.');
  if (key === '') throw new Error('Empty value provided for input HTTP label: Key.');
  return checkedKey(key);
}

export function checkedKey(key: string): string {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw keyTooLong({ Size: String(Buffer.byteLength(key)), MaxSizeAllowed: String(MAX_KEY_BYTES) });
  }
  return key;
}

export function headersOf(input: Input): StoredHeaders {
  const headers: StoredHeaders = {};
  for (const name of storedHeaders) {
    const value = input[name];
    if (value instanceof Date) headers[name] = value.toUTCString();
    else if (value !== undefined) headers[name] = text(input, name) ?? '';
  }
  headers.ContentType ??= 'application/octet-stream';
  return headers;
}

/** User metadata; HTTP has it in lower case. */
export function metadataOf({ Metadata = {} }: Input): Record<string, string> {
  const metadata: Record<string, string> = {};
  let bytes = 0;
  for (const [name, value] of Object.entries(Metadata as Record<string, string>)) {
    metadata[name.toLowerCase()] = value;
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (bytes > MAX_METADATA_BYTES) {
    throw metadataTooLarge({ Size: String(bytes), MaxSizeAllowed: String(MAX_METADATA_BYTES) });
  }
  return metadata;
}

export function expectedDigests(input: Input): Expected {
  const expected: Expected = {};
  for (const algorithm of checksumAlgorithms) {
    const value = text(input, `Checksum${algorithm}`);
    if (value !== undefined) expected[algorithm] = value;
  }
  const md5 = text(input, 'ContentMD5');
  if (md5 !== undefined) expected['Content-MD5'] = md5;
  if (Object.keys(expected).length > (md5 === undefined ? 1 : 2)) {
    throw invalidRequest(
      'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
    );
  }
  return expected;
}

/** Bucket and key of a `CopySource`, which is URL-encoded and may begin with a slash. */
export function copySourceOf(input: Input): { bucket: string; key: string } {
  const source = text(input, 'CopySource') ?? '';
  const match = /^\/?([^/]+)\/(.+)$/s.exec(decoded(source));
  const [, bucket, key] = match ?? [];
  if (bucket === undefined || key === undefined || source.includes('?versionId=')) {
    throw invalidArgument('Copy Source must mention the source bucket and key: sourcebucket/sourcekey');
  }
  return { bucket, key };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw invalidArgument('Copy Source must be URL-encoded');
  }
}

export interface KeyToDelete {
  readonly Key: string;
}

const MAX_KEYS_PER_DELETION = 1000;

export function keysToDelete({ Delete }: Input): { keys: string[]; quiet: boolean } | undefined {
  const { Objects, Quiet } = (Delete ?? {}) as { Objects?: readonly KeyToDelete[]; Quiet?: boolean };
  if (!Array.isArray(Objects) || Objects.length === 0 || Objects.length > MAX_KEYS_PER_DELETION)
    return undefined;
  return { keys: (Objects as readonly KeyToDelete[]).map(({ Key }) => Key), quiet: Quiet ?? false };
}
