import type { Output } from '../call.ts';
import { invalidArgument } from './errors.ts';
import { text, type Input } from './input.ts';
import type { StoredObject } from './objects.ts';

const MAX_KEYS = 1000;

/** ListObjectsV2 over the sorted keys of a bucket: https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export function listObjects(
  bucket: string,
  input: Input,
  keys: readonly string[],
  objects: ReadonlyMap<string, StoredObject>,
): Output {
  const prefix = text(input, 'Prefix') ?? '';
  const delimiter = text(input, 'Delimiter');
  const token = text(input, 'ContinuationToken');
  const startAfter = text(input, 'StartAfter');
  const maxKeys = Math.min(limit(input['MaxKeys']), MAX_KEYS);
  const after = token === undefined ? startAfter : keyOfToken(token);

  const contents: Output[] = [];
  const groups: string[] = [];
  let last: string | undefined;
  let isTruncated = false;
  for (let at = firstAfter(keys, after, prefix); at < keys.length; at += 1) {
    const key = keys[at] ?? '';
    if (!key.startsWith(prefix)) break;
    const group = delimiter ? groupOf(key, prefix, delimiter) : undefined;
    if (group !== undefined && (group === groups.at(-1) || (after !== undefined && after.startsWith(group))))
      continue;
    if (contents.length + groups.length >= maxKeys) {
      isTruncated = maxKeys > 0;
      break;
    }
    if (group !== undefined) groups.push(group);
    else contents.push(summary(key, objects.get(key)));
    last = group ?? key;
  }
  return {
    Name: bucket,
    Prefix: prefix,
    ...(delimiter !== undefined && { Delimiter: delimiter }),
    ...(startAfter !== undefined && { StartAfter: startAfter }),
    ...(token !== undefined && { ContinuationToken: token }),
    MaxKeys: maxKeys,
    KeyCount: contents.length + groups.length,
    IsTruncated: isTruncated,
    ...(isTruncated && last !== undefined && { NextContinuationToken: tokenOf(last) }),
    ...(contents.length > 0 && { Contents: contents }),
    ...(groups.length > 0 && { CommonPrefixes: groups.map((Prefix) => ({ Prefix })) }),
  };
}

const summary = (Key: string, object: StoredObject | undefined): Output => ({
  Key,
  LastModified: new Date(object?.modifiedAt ?? 0),
  ETag: object?.etag,
  ChecksumAlgorithm: ['CRC32'],
  ChecksumType: 'FULL_OBJECT',
  Size: object?.size,
  StorageClass: 'STANDARD',
});

function groupOf(key: string, prefix: string, delimiter: string): string | undefined {
  const at = key.indexOf(delimiter, prefix.length);
  return at < 0 ? undefined : key.slice(0, at + delimiter.length);
}

/** Place of the first key that lies after `after` and not before `prefix`. */
function firstAfter(keys: readonly string[], after: string | undefined, prefix: string): number {
  const afterBytes = after === undefined ? undefined : Buffer.from(after);
  const prefixBytes = Buffer.from(prefix);
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const key = Buffer.from(keys[middle] ?? '');
    const isBefore =
      Buffer.compare(key, prefixBytes) < 0 ||
      (afterBytes !== undefined && Buffer.compare(key, afterBytes) <= 0);
    if (isBefore) low = middle + 1;
    else high = middle;
  }
  return low;
}

function limit(maxKeys: unknown): number {
  if (maxKeys === undefined) return MAX_KEYS;
  if (Number.isInteger(maxKeys) && Number(maxKeys) >= 0 && Number(maxKeys) <= 2_147_483_647)
    return Number(maxKeys);
  throw invalidArgument('Provided max-keys not an integer or within integer range');
}

const TOKEN_MARK = 'after:';

const tokenOf = (key: string) => Buffer.from(TOKEN_MARK + key).toString('base64');

function keyOfToken(token: string): string {
  const decoded = Buffer.from(token, 'base64').toString();
  if (tokenOf(decoded.slice(TOKEN_MARK.length)) !== token) {
    throw invalidArgument('The continuation token provided is incorrect');
  }
  return decoded.slice(TOKEN_MARK.length);
}
