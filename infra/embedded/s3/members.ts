import type { Input } from '../call.ts';
import { checksumAlgorithms, type Expected } from './checksum.ts';
import { invalidArgument, invalidRequest, keyTooLong, metadataTooLarge, notImplemented } from './errors.ts';
import { storedHeaders, type StoredHeaders } from './objects.ts';

/** UTF-8 bytes. https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const MAX_KEY_BYTES = 1024;
/** UTF-8 bytes of all names and values. https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingMetadata.html */
const MAX_METADATA_BYTES = 2048;

/** Refuses members that the operation does not interpret. */
export function checkMembers(operation: string, known: readonly string[], input: Input): void {
  for (const name in input) {
    if (input[name] !== undefined && !known.includes(name)) throw notImplemented(`${operation} with ${name}`);
  }
}

export function text(input: Input, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalidArgument(`${name} is not a string.`);
}

export function bucketOf(input: Input): string {
  const bucket = text(input, 'Bucket');
  // The SDK refuses both before it sends a request, with these sentences.
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

function checkedKey(key: string): string {
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

/** User metadata. HTTP has header names in lower case. */
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
    throw invalidRequest('Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.');
  }
  return expected;
}

/** Bucket and key of a `CopySource`, which is URL-encoded and may start with a slash. */
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
