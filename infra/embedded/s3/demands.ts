import type { Demand } from '../call.ts';
import { bucketOf, copySourceOf, keyOf, keysToDelete, text, type Input } from './input.ts';
import { notImplemented } from './errors.ts';

const bucketArn = (bucket: string) => `arn:aws:s3:::${bucket}`;
const on = (action: string, bucket: string, key: string): Demand => ({
  action,
  resource: `${bucketArn(bucket)}/${key}`,
});

/**
 * The permissions of each operation: https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
 * DeleteObjects asks for every key at once: where AWS would refuse some keys in an otherwise successful answer, the
 * call is refused here as a whole.
 */
export function demandsOf(operation: string, input: Input): readonly Demand[] {
  const bucket = bucketOf(input);
  switch (operation) {
    case 'PutObject':
      return [on('s3:PutObject', bucket, keyOf(input))];
    case 'GetObject':
    case 'HeadObject':
      return [on('s3:GetObject', bucket, keyOf(input))];
    case 'DeleteObject':
      return [on('s3:DeleteObject', bucket, keyOf(input))];
    case 'DeleteObjects':
      return (keysToDelete(input)?.keys ?? []).map((key) => on('s3:DeleteObject', bucket, key));
    case 'CopyObject': {
      const source = copySourceOf(input);
      return [on('s3:GetObject', source.bucket, source.key), on('s3:PutObject', bucket, keyOf(input))];
    }
    case 'ListObjectsV2': {
      const prefix = text(input, 'Prefix');
      const context = prefix === undefined ? {} : { 's3:prefix': prefix };
      return [{ action: 's3:ListBucket', resource: bucketArn(bucket), context }];
    }
    default:
      throw notImplemented(`The operation ${operation}`);
  }
}
