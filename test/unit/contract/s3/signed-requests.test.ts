import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { aListener, aWorld, bodyOf, BUCKET, ROLE, SIGNER } from './paths.ts';

describe('a request signed in its header', () => {
  const begin = async (credentials: Partial<typeof SIGNER> = {}, region = 'us-east-1') => {
    const world = await aWorld();
    const endpoint = await aListener(world);
    const client = new S3Client({
      region,
      endpoint,
      credentials: { ...SIGNER, ...credentials },
      maxAttempts: 1,
    });
    onTestFinished(() => {
      client.destroy();
    });
    const put = () => client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'k', Body: 'x' }));
    return { world, endpoint, client, put };
  };

  test('needs the right secret', async () => {
    const { put } = await begin({ secretAccessKey: 'wrong' });
    await expect(put()).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });

  test('needs a known key id', async () => {
    const { put } = await begin({ accessKeyId: 'AKIANOBODY' });
    await expect(put()).rejects.toMatchObject({ name: 'InvalidAccessKeyId' });
  });

  test('is signed for the region', async () => {
    const { put } = await begin({}, 'eu-west-1');
    await expect(put()).rejects.toMatchObject({ name: 'AuthorizationHeaderMalformed' });
  });

  test('may be a quarter of an hour old and no older', async () => {
    const { put, world } = await begin();
    world.clock.advance(14 * 60_000);
    await put();
    world.clock.advance(2 * 60_000);
    await expect(put()).rejects.toMatchObject({ name: 'RequestTimeTooSkewed' });
  });

  test('carries the body that was signed', async () => {
    const { world, client, put } = await begin();
    await put();
    client.middlewareStack.add(
      (next) => (args) => {
        (args.request as { body: string }).body = 'y';
        return next(args);
      },
      { step: 'finalizeRequest', priority: 'low', name: 'swapBody' },
    );
    await expect(put()).rejects.toMatchObject({ name: 'XAmzContentSHA256Mismatch' });
    const kept = await world.service.call('GetObject', { Bucket: BUCKET, Key: 'k' }, ROLE);
    await expect(bodyOf(kept).transformToString()).resolves.toBe('x');
  });

  test('with a header that is not understood is refused', async () => {
    const { endpoint } = await begin();
    const response = await fetch(`${endpoint}/${BUCKET}/k`, { headers: { authorization: 'Basic eDp5' } });
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('<Code>AuthorizationHeaderMalformed</Code>'),
    ]);
  });
});
