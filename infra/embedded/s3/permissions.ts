import type { Input, RequiredPermission } from '../call.ts';
import { bucketOf, copySourceOf, keyOf, text } from './members.ts';

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html */
const onObject = (action: string, bucket: string, key: string): RequiredPermission => ({
  action,
  resource: `arn:aws:s3:::${bucket}/${key}`,
});

/** An action on the object that the input names. */
export const objectPermission =
  (action: string) =>
  (input: Input): readonly RequiredPermission[] => [onObject(action, bucketOf(input), keyOf(input))];

/** Reading the source object and writing the copy. */
export function copyPermission(input: Input): readonly RequiredPermission[] {
  const source = copySourceOf(input);
  return [onObject('s3:GetObject', source.bucket, source.key), onObject('s3:PutObject', bucketOf(input), keyOf(input))];
}

/** Listing the bucket; a policy may restrict the prefix. */
export const listPermission = (input: Input): readonly RequiredPermission[] => [
  {
    action: 's3:ListBucket',
    resource: `arn:aws:s3:::${bucketOf(input)}`,
    context: { 's3:prefix': text(input, 'Prefix') ?? '' },
  },
];
