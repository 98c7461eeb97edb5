import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { RequestPresigner } from '@smithy/types';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBucket } from '../../../../shared/aws/bucket.ts';
import { s3Client } from '../../../../shared/aws/clients.ts';
import { aSocket, aWorld, BUCKET, ROLE, SIGNER } from './paths.ts';

const presign = async (
  endpoint: string,
  command: GetObjectCommand | PutObjectCommand,
  {
    signingDate,
    expiresIn = 60,
    ...credentials
  }: Partial<typeof SIGNER> & { signingDate?: Date; expiresIn?: number } = {},
) => {
  const client = new S3Client({
    region: 'us-east-1',
    endpoint,
    credentials: { ...SIGNER, ...credentials },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return getSignedUrl(client, command, { expiresIn, ...(signingDate && { signingDate }) });
};

describe('a presigned address', () => {
  const begin = async () => {
    const world = await aWorld();
    const endpoint = await aSocket(world);
    const put = (Key = 'k', more: Partial<ConstructorParameters<typeof PutObjectCommand>[0]> = {}) =>
      new PutObjectCommand({ Bucket: BUCKET, Key, ...more });
    const get = (Key = 'k') => new GetObjectCommand({ Bucket: BUCKET, Key });
    const store = (Body: string, Key = 'k') => world.service.call('PutObject', { Bucket: BUCKET, Key, Body }, ROLE);
    const sign = (command: GetObjectCommand | PutObjectCommand, options: Parameters<typeof presign>[2] = {}) =>
      presign(endpoint, command, { signingDate: new Date(world.clock.now()), ...options });
    return { world, endpoint, put, get, store, sign };
  };
  const refusal = async (response: Response) => {
    const body = await response.text();
    return {
      status: response.status,
      code: /<Code>(.*)<\/Code>/.exec(body)?.[1],
      message: /<Message>(.*)<\/Message>/.exec(body)?.[1],
    };
  };

  test('puts and gets one object without credentials', async () => {
    const { sign, put, get } = await begin();
    const sent = await fetch(await sign(put('a b/é*.js')), { method: 'PUT', body: 'hello' });
    expect(sent.status).toBe(200);
    const got = await fetch(await sign(get('a b/é*.js')));
    expect([got.status, got.headers.get('etag'), await got.text()]).toEqual([
      200,
      '"5d41402abc4b2a76b9719d911017c592"',
      'hello',
    ]);
  });

  test('takes large bodies', async () => {
    const { sign, put, get } = await begin();
    const body = 'x'.repeat(3_000_000);
    expect((await fetch(await sign(put()), { method: 'PUT', body })).status).toBe(200);
    const address = await sign(get());
    await expect((await fetch(address)).text()).resolves.toHaveLength(3_000_000);
  });

  test('works until its expiry', async () => {
    const { world, sign, get, store } = await begin();
    await store('x');
    const address = await sign(get(), { expiresIn: 60 });
    world.clock.advance(60_000);
    expect((await fetch(address)).status).toBe(200);
    world.clock.advance(1);
    expect(await refusal(await fetch(address))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      message: 'Request has expired',
    });
  });

  test('may not be valid for more than a week', async () => {
    const { sign, get, store } = await begin();
    await store('x');
    const address = await sign(get(), { expiresIn: 604_800 });
    expect((await fetch(address)).status).toBe(200);
    const longer = address.replace('X-Amz-Expires=604800', 'X-Amz-Expires=604801');
    expect(await refusal(await fetch(longer))).toMatchObject({
      status: 400,
      code: 'AuthorizationQueryParametersError',
    });
  });

  test('is not valid before it begins', async () => {
    const { world, sign, get } = await begin();
    const address = await sign(get(), { signingDate: new Date(world.clock.now() + 16 * 60_000) });
    expect(await refusal(await fetch(address))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      message: 'Request is not valid yet',
    });
  });

  test('has the permissions of its signer', async () => {
    const { world, sign, get, put, store } = await begin();
    await store('x');
    const [reading, writing] = [await sign(get()), await sign(put())];
    world.denied.add('s3:GetObject');
    expect(await refusal(await fetch(reading))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      message: 'Access Denied',
    });
    expect((await fetch(writing, { method: 'PUT', body: 'y' })).status).toBe(200);
  });

  test.each([
    ['another key', (address: string) => address.replace('/k?', '/l?')],
    ['another expiry', (address: string) => address.replace('X-Amz-Expires=60', 'X-Amz-Expires=600')],
    ['another parameter', (address: string) => `${address}&versionId=1`],
    ['another signature', (address: string) => address.replace(/Signature=..../, 'Signature=0000')],
  ])('does not work for %s', async (_what, change) => {
    const { sign, get } = await begin();
    expect(await refusal(await fetch(change(await sign(get()))))).toMatchObject({
      status: 403,
      code: 'SignatureDoesNotMatch',
    });
  });

  test('does not work for another method', async () => {
    const { sign, get } = await begin();
    const response = await fetch(await sign(get()), { method: 'PUT', body: 'x' });
    expect(await refusal(response)).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
  });

  test('signed with a wrong secret or an unknown key id is refused', async () => {
    const { sign, get } = await begin();
    const wrong = await sign(get(), { secretAccessKey: 'wrong' });
    expect(await refusal(await fetch(wrong))).toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' });
    const unknown = await sign(get(), { accessKeyId: 'AKIANOBODY' });
    expect(await refusal(await fetch(unknown))).toMatchObject({ status: 403, code: 'InvalidAccessKeyId' });
  });

  test('refuses unsigned headers that change the meaning of the request', async () => {
    const { sign, put } = await begin();
    const response = await fetch(await sign(put()), {
      method: 'PUT',
      body: 'x',
      headers: { 'x-amz-meta-a': 'b' },
    });
    expect(await refusal(response)).toMatchObject({ status: 403, code: 'AccessDenied' });
    const signed = await sign(put('k', { Metadata: { a: 'b' } }));
    expect(await refusal(await fetch(signed, { method: 'PUT', body: 'x' }))).toMatchObject({ code: 'NotImplemented' });
  });

  test('signed with the checksum of an empty body takes no body', async () => {
    const { world, endpoint, put } = await begin();
    const client = new S3Client({ region: 'us-east-1', endpoint, credentials: SIGNER });
    const address = await getSignedUrl(client, put(), { signingDate: new Date(world.clock.now()) });
    expect(await refusal(await fetch(address, { method: 'PUT', body: 'x' }))).toMatchObject({
      status: 501,
      code: 'NotImplemented',
    });
  });

  test('of the client in shared/aws takes any body', async () => {
    const { endpoint } = await begin();
    vi.stubEnv('AWS_REGION', 'us-east-1');
    vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
    vi.stubEnv('AWS_ACCESS_KEY_ID', SIGNER.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', SIGNER.secretAccessKey);
    onTestFinished(() => void vi.unstubAllEnvs());
    const bucket = createBucket(s3Client, BUCKET);
    const sent = await fetch(await bucket.presignPut('builds/u_1/a', 60), { method: 'PUT', body: 'hello' });
    expect([sent.status, await sent.text()]).toEqual([200, '']);
    await expect((await fetch(await bucket.presignGet('builds/u_1/a', 60))).text()).resolves.toBe('hello');
  });

  test('names a missing key and a missing bucket as the API does', async () => {
    const { world, sign, get } = await begin();
    expect(await refusal(await fetch(await sign(get('none'))))).toMatchObject({
      status: 404,
      code: 'NoSuchKey',
    });
    const nowhere = new GetObjectCommand({ Bucket: 'nowhere', Key: 'k' });
    expect(await refusal(await fetch(await sign(nowhere)))).toMatchObject({
      status: 404,
      code: 'NoSuchBucket',
    });
    world.denied.add('s3:ListBucket');
    expect(await refusal(await fetch(await sign(get('none'))))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
    });
  });

  test('is the only kind of request: a signature in the header is refused', async () => {
    const { endpoint, get, store } = await begin();
    await store('x');
    const client = new S3Client({ region: 'us-east-1', endpoint, credentials: SIGNER, maxAttempts: 1 });
    onTestFinished(() => {
      client.destroy();
    });
    await expect(client.send(get())).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  test('cannot sign a body', async () => {
    const { world, endpoint } = await begin();
    const client = new S3Client({ region: 'us-east-1', endpoint, credentials: SIGNER });
    const { hostname, port, host } = new URL(endpoint);
    const signer = (await client.config.signer()) as unknown as RequestPresigner;
    const headers = { host, 'x-amz-content-sha256': createHash('sha256').update('x').digest('hex') };
    const request = {
      method: 'PUT',
      protocol: 'http:',
      hostname,
      port: Number(port),
      path: `/${BUCKET}/k`,
      headers,
    };
    const signed = await signer.presign(
      { ...request, query: {} },
      {
        expiresIn: 60,
        signingDate: new Date(world.clock.now()),
        unhoistableHeaders: new Set(['x-amz-content-sha256']),
      },
    );
    const query = new URLSearchParams(signed.query as Record<string, string>).toString();
    const address = `${endpoint}/${BUCKET}/k?${query}`;
    const response = await fetch(address, { method: 'PUT', body: 'x', headers: signed.headers });
    expect(await refusal(response)).toMatchObject({ status: 501, code: 'NotImplemented' });
  });

  test('is refused without a signature', async () => {
    const { endpoint, store } = await begin();
    await store('x');
    expect(await refusal(await fetch(`${endpoint}/${BUCKET}/k`))).toMatchObject({
      status: 403,
      code: 'AccessDenied',
      message: 'Access Denied',
    });
  });

  test('keeps the old object if an upload breaks off', async () => {
    const { world, sign, put, store } = await begin();
    await store('before');
    const address = new URL(await sign(put()));
    const options = { method: 'PUT', headers: { 'content-length': 1_000_000 } };
    const upload = request(address, options);
    upload.on('error', () => undefined);
    upload.write('x'.repeat(500_000), () => upload.destroy());
    await new Promise((resolve) => upload.on('close', resolve));
    await expect.poll(() => readdir(join(world.directory, 'objects'))).toEqual([]);
    const object = await world.service.call('GetObject', { Bucket: BUCKET, Key: 'k' }, ROLE);
    expect(object).toMatchObject({ ContentLength: 6 });
  });

  test('refuses an upload above 5 GiB before it is sent', async () => {
    const { sign, put } = await begin();
    const upload = request(new URL(await sign(put())), {
      method: 'PUT',
      headers: { 'content-length': 5 * 1024 ** 3 + 1 },
    });
    onTestFinished(() => void upload.destroy());
    upload.on('error', () => undefined);
    upload.flushHeaders();
    const body = await new Promise<string>((resolve, reject) => {
      upload.once('response', (response) => void text(response).then(resolve, reject));
    });
    expect(body).toContain('<Code>EntityTooLarge</Code>');
  });
});
