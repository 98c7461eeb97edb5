import { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { sdkPlugin } from '../../../../infra/embedded/sdk-plugin.ts';
import { createBucket } from '../../../../shared/aws/bucket.ts';
import { aWorld, BUCKET, ROLE } from '../../contract/s3/paths.ts';

/** The embedded S3 with one object, for a role with rights on prefixes only: S3 answers it 403 for a missing object. */
async function aBucket() {
  const { service, dispatch, denied } = await aWorld();
  let mayListPrefixes = true;
  const calls: string[] = [];
  const client = new S3Client({ region: 'us-east-1', maxAttempts: 1 });
  const recorded: typeof dispatch = (call) => {
    calls.push(call.operation);
    // The right to list a prefix is none to list the bucket.
    if (call.operation === 'ListObjectsV2' && mayListPrefixes) return service.call(call.operation, call.input, ROLE);
    return dispatch(call);
  };
  client.middlewareStack.use(sdkPlugin({ dispatch: recorded, role: ROLE }));
  const bucket = createBucket(() => client, BUCKET);
  await bucket.putText('payloads/a', 'text');
  calls.length = 0;
  /** Without the right to list the whole bucket, as IAM evaluates a condition on `s3:prefix` for a read. */
  const hide = ({ prefixes = false } = {}) => {
    mayListPrefixes = !prefixes;
    denied.add(`s3:ListBucket arn:aws:s3:::${BUCKET}`);
  };
  return { bucket, denied, calls, hide };
}

describe('an object', () => {
  test('that is missing is undefined, with one request where S3 says so', async () => {
    const { bucket, calls } = await aBucket();
    expect(await bucket.getText('payloads/none')).toBeUndefined();
    expect(await bucket.getBytes('payloads/none')).toBeUndefined();
    expect(await bucket.copyIfPresent('payloads/none', 'payloads/b')).toBe(false);
    expect(calls).toEqual(['GetObject', 'GetObject', 'CopyObject']);
  });

  test('that is missing is undefined where S3 answers 403 for it', async () => {
    const { bucket, calls, hide } = await aBucket();
    await bucket.putText('payloads/none-2', 'of another key');
    calls.length = 0;
    hide();
    expect(await bucket.getText('payloads/none')).toBeUndefined();
    expect(await bucket.copyIfPresent('payloads/none', 'payloads/b')).toBe(false);
    expect(calls).toEqual(['GetObject', 'ListObjectsV2', 'CopyObject', 'ListObjectsV2']);
    expect(await bucket.getText('payloads/a')).toBe('text');
  });

  test('whose read is refused is not missing: the caller comes again, and nothing is lost', async () => {
    const { bucket, denied } = await aBucket();
    denied.add(`s3:GetObject arn:aws:s3:::${BUCKET}/payloads/a`);
    await expect(bucket.getText('payloads/a')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(bucket.getBytes('payloads/a')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(bucket.copyIfPresent('payloads/a', 'payloads/b')).rejects.toMatchObject({
      name: 'AccessDenied',
    });
    denied.clear();
    expect(await bucket.getText('payloads/a')).toBe('text');
  });

  test('is not missing where neither read nor list is allowed', async () => {
    const { bucket, hide } = await aBucket();
    hide({ prefixes: true });
    await expect(bucket.getText('payloads/none')).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(bucket.copyIfPresent('payloads/none', 'payloads/b')).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });
});
