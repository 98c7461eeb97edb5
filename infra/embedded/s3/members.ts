import type { Input } from '../call.ts';
import { invalidArgument, keyTooLong, notImplemented } from './errors.ts';

/** UTF-8 bytes. https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html */
const MAX_KEY_BYTES = 1024;

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
