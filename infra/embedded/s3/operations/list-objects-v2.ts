import type { Input, Output } from '../../call.ts';
import type { S3Context } from '../context.ts';
import { invalidArgument } from '../errors.ts';
import { checkMembers, text } from '../members.ts';
import { bucketIn } from '../object-access.ts';

const MEMBERS = ['Bucket', 'Prefix', 'ContinuationToken'];

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
const KEYS_OF_PAGE = 1_000;

/** A page of the keys with a prefix. The token of the next page is the last key of this one. */
export async function listObjectsV2(input: Input, context: S3Context): Promise<Output> {
  checkMembers('ListObjectsV2', MEMBERS, input);
  const bucket = bucketIn(input, context);
  const prefix = text(input, 'Prefix') ?? '';
  const token = text(input, 'ContinuationToken');
  const keys = context.objects.keys(bucket, prefix);
  const start = token === undefined ? 0 : keys.findIndex((key) => isAfter(key, lastKeyOf(token)));
  const page = start < 0 ? [] : keys.slice(start, start + KEYS_OF_PAGE);
  const last = page.at(-1);
  const isTruncated = last !== undefined && last !== keys.at(-1);
  return {
    Name: bucket,
    Prefix: prefix,
    MaxKeys: KEYS_OF_PAGE,
    KeyCount: page.length,
    IsTruncated: isTruncated,
    ...(isTruncated ? { NextContinuationToken: Buffer.from(last).toString('base64') } : {}),
    ...(page.length === 0 ? {} : { Contents: page.flatMap((key) => contentOf(bucket, key, context)) }),
  };
}

function contentOf(bucket: string, key: string, { objects }: S3Context) {
  const object = objects.get(bucket, key);
  if (!object) return [];
  return [{ Key: key, LastModified: new Date(object.modifiedAt), ETag: object.etag, Size: object.size }];
}

function lastKeyOf(token: string): string {
  const key = Buffer.from(token, 'base64').toString();
  if (key === '') throw invalidArgument('The continuation token provided is incorrect');
  return key;
}

const isAfter = (key: string, last: string): boolean => Buffer.compare(Buffer.from(key), Buffer.from(last)) > 0;
