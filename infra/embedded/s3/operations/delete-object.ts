import type { Input, Output } from '../../call.ts';
import type { S3Context } from '../context.ts';
import { checkMembers, keyOf } from '../members.ts';
import { bucketIn } from '../object-access.ts';

const MEMBERS = ['Bucket', 'Key'];

export async function deleteObject(input: Input, context: S3Context): Promise<Output> {
  checkMembers('DeleteObject', MEMBERS, input);
  await context.objects.remove(bucketIn(input, context), [keyOf(input)]);
  return {};
}
