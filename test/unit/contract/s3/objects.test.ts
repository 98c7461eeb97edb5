import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { aWorld, bodyOf, BUCKET, paths } from './paths.ts';

const SMALL = 256 * 1024;

describe.each(paths)('S3 %s', (_name, connect) => {
  const begin = async (options: Parameters<typeof aWorld>[0] = {}) => {
    const world = await aWorld(options);
    const path = await connect(world);
    const put = (Key: string, Body: unknown = 'body', more: Record<string, unknown> = {}) =>
      path.send('PutObject', { Bucket: BUCKET, Key, Body, ...more });
    const get = (Key: string) => path.send('GetObject', { Bucket: BUCKET, Key });
    const read = async (Key: string) => bodyOf(await get(Key)).transformToString();
    return { world, send: path.send, put, get, read };
  };

  test('returns an object with its content type', async () => {
    const { world, put, get } = await begin();
    const modified = new Date(world.clock.now());
    const answered = await put('a/b.js', 'hello', { ContentType: 'text/javascript' });
    expect(answered).toMatchObject({ ETag: '"5d41402abc4b2a76b9719d911017c592"' });
    const object = await get('a/b.js');
    expect(object).toMatchObject({
      ContentType: 'text/javascript',
      ContentLength: 5,
      ETag: answered['ETag'],
      LastModified: modified,
    });
    await expect(bodyOf(object).transformToString()).resolves.toBe('hello');
  });

  test.each([
    ['text', () => 'h€llo'],
    ['bytes', () => new TextEncoder().encode('h€llo')],
    ['a part of a buffer', () => Buffer.from('xxh€lloxx').subarray(2, -2)],
    ['a stream', () => Readable.from([Buffer.from('h€'), Buffer.from('llo')])],
  ])('takes a body that is %s', async (_kind, body) => {
    const { put, read } = await begin();
    await put('k', body(), { ContentLength: 7 });
    await expect(read('k')).resolves.toBe('h€llo');
  });

  test('a body may be empty', async () => {
    const { put, get } = await begin();
    await put('k', '');
    const object = await get('k');
    expect(object).toMatchObject({ ContentLength: 0, ETag: '"d41d8cd98f00b204e9800998ecf8427e"' });
    await expect(bodyOf(object).transformToString()).resolves.toBe('');
  });

  test.each([SMALL, SMALL + 1, 3_000_001, 9_000_000])('returns a body of %d bytes unchanged', async (size) => {
    const { put, get } = await begin();
    const body = randomBytes(size);
    await put('k', body);
    const object = await get('k');
    expect(object).toMatchObject({ ContentLength: size });
    expect(Buffer.compare(Buffer.from(await bodyOf(object).transformToByteArray()), body)).toBe(0);
  });

  test('a large body may be streamed in', async () => {
    const { put, get } = await begin();
    const part = randomBytes(100_000);
    await put('k', Readable.from(Array.from({ length: 10 }, () => part)), { ContentLength: 1_000_000 });
    const bytes = await bodyOf(await get('k')).transformToByteArray();
    expect(Buffer.compare(Buffer.from(bytes), Buffer.concat(Array.from({ length: 10 }, () => part)))).toBe(0);
  });

  test('a put replaces an earlier object, whatever their sizes', async () => {
    const { put, read } = await begin();
    for (const body of ['small', 'x'.repeat(SMALL + 1), 'y'.repeat(SMALL + 2), 'small again']) {
      await put('k', body);
      await expect(read('k')).resolves.toBe(body);
    }
  });

  test.each(['a b', 'é/ü', '+plus&amp=1', "it's (a) *star*!", 'percent%20', 'emoji 😀', 'a//b', '~._-'])(
    'the key %j is kept as it is',
    async (key) => {
      const { put, read, send } = await begin();
      await put(key, key);
      await put(`${key}2`, 'other');
      await expect(read(key)).resolves.toBe(key);
      const CopySource = `${BUCKET}/${encodeURIComponent(key)}`;
      await send('CopyObject', { Bucket: BUCKET, Key: 'copy', CopySource });
      await expect(read('copy')).resolves.toBe(key);
      await send('DeleteObject', { Bucket: BUCKET, Key: key });
      await expect(read(key)).rejects.toMatchObject({ name: 'NoSuchKey' });
      await expect(read(`${key}2`)).resolves.toBe('other');
    },
  );

  test('a key may have 1,024 bytes and no more', async () => {
    const { put, read } = await begin();
    const longest = 'é'.repeat(512);
    await put(longest);
    await expect(read(longest)).resolves.toBe('body');
    await expect(put(`${longest}a`)).rejects.toMatchObject({
      name: 'KeyTooLongError',
      message: 'Your key is too long',
    });
  });

  test('a body may have as many bytes as the limit and no more', async () => {
    const { put, read } = await begin({ maxPutBytes: 400_000 });
    await put('k', 'x'.repeat(400_000));
    await expect(put('k', 'y'.repeat(400_001))).rejects.toMatchObject({ name: 'EntityTooLarge' });
    await expect(read('k')).resolves.toMatch(/^x/);
  });

  test('a missing key is NoSuchKey for a role that may list, and AccessDenied for others', async () => {
    const { get, world } = await begin();
    await expect(get('none')).rejects.toMatchObject({
      name: 'NoSuchKey',
      message: 'The specified key does not exist.',
    });
    world.denied.add(`s3:ListBucket arn:aws:s3:::${BUCKET}`);
    await expect(get('none')).rejects.toMatchObject({ name: 'AccessDenied', message: 'Access Denied' });
  });

  test('an unknown bucket is NoSuchBucket for every operation', async () => {
    const { send } = await begin();
    const Bucket = 'nowhere';
    const refused = { name: 'NoSuchBucket', message: 'The specified bucket does not exist' };
    await expect(send('PutObject', { Bucket, Key: 'k', Body: 'x' })).rejects.toMatchObject(refused);
    await expect(send('GetObject', { Bucket, Key: 'k' })).rejects.toMatchObject(refused);
    await expect(send('DeleteObject', { Bucket, Key: 'k' })).rejects.toMatchObject(refused);
    const CopySource = `${BUCKET}/k`;
    await expect(send('CopyObject', { Bucket, Key: 'k', CopySource })).rejects.toMatchObject(refused);
    await expect(send('ListObjectsV2', { Bucket })).rejects.toMatchObject(refused);
  });

  test.each([
    ['s3:PutObject', 'PutObject', { Key: 'k', Body: 'x' }],
    ['s3:GetObject', 'GetObject', { Key: 'k' }],
    ['s3:DeleteObject', 'DeleteObject', { Key: 'k' }],
    ['s3:GetObject', 'CopyObject', { Key: 'l', CopySource: `${BUCKET}/k` }],
    ['s3:PutObject', 'CopyObject', { Key: 'l', CopySource: `${BUCKET}/k` }],
    ['s3:ListBucket', 'ListObjectsV2', {}],
  ])('a role without %s cannot use %s', async (action, operation, input) => {
    const { put, send, world } = await begin();
    await put('k');
    world.denied.add(action);
    await expect(send(operation, { Bucket: BUCKET, ...input })).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });

  test('a deleted object cannot be read, and deleting it again succeeds', async () => {
    const { put, get, send } = await begin();
    await put('k', 'x'.repeat(SMALL + 1));
    await send('DeleteObject', { Bucket: BUCKET, Key: 'k' });
    await send('DeleteObject', { Bucket: BUCKET, Key: 'k' });
    await expect(get('k')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  test('a read continues although the object is deleted', async () => {
    const { put, get, send } = await begin();
    await put('k', 'x'.repeat(9_000_000));
    const object = await get('k');
    await send('DeleteObject', { Bucket: BUCKET, Key: 'k' });
    await expect(bodyOf(object).transformToString()).resolves.toHaveLength(9_000_000);
  });

  test.each(['small', 'x'.repeat(SMALL + 1)])('a copy has the body and the headers of its source', async (body) => {
    const { put, get, read, send } = await begin();
    const { ETag } = await put('a b/é', body, { ContentType: 'text/plain' });
    const CopySource = `/${BUCKET}/${encodeURIComponent('a b/é')}`;
    const answered = await send('CopyObject', { Bucket: BUCKET, Key: 'copy', CopySource });
    expect(answered).toMatchObject({ CopyObjectResult: { ETag } });
    await send('DeleteObject', { Bucket: BUCKET, Key: 'a b/é' });
    await expect(read('copy')).resolves.toBe(body);
    expect(await get('copy')).toMatchObject({ ContentType: 'text/plain' });
    await expect(send('CopyObject', { Bucket: BUCKET, Key: 'c', CopySource })).rejects.toMatchObject({
      name: 'NoSuchKey',
    });
  });

  test('a copy of an object onto itself is refused', async () => {
    const { put, send } = await begin();
    await put('k', 'body');
    await expect(send('CopyObject', { Bucket: BUCKET, Key: 'k', CopySource: `${BUCKET}/k` })).rejects.toMatchObject({
      name: 'InvalidRequest',
      message: expect.stringContaining('to copy an object to itself') as string,
    });
  });

  test('a list has the keys with a prefix in the order of their bytes, with their sizes', async () => {
    const { put, send } = await begin();
    for (const key of ['a/b/1', 'a/é', 'a/b/2', 'ab', 'b/1']) await put(key, key);
    await send('DeleteObject', { Bucket: BUCKET, Key: 'a/b/2' });
    const listed = async (Prefix?: string) => {
      const { Contents = [], KeyCount } = await send('ListObjectsV2', { Bucket: BUCKET, Prefix });
      const found = Contents as { Key: string; Size: number; LastModified: Date }[];
      expect(KeyCount).toBe(found.length);
      expect(found.every(({ LastModified }) => LastModified instanceof Date)).toBe(true);
      return found.map(({ Key, Size }) => [Key, Size]);
    };
    expect(await listed('a/')).toEqual([
      ['a/b/1', 5],
      ['a/é', 4],
    ]);
    expect(await listed('a/b/1')).toEqual([['a/b/1', 5]]);
    expect(await listed('c/')).toEqual([]);
    expect((await listed()).map(([key]) => key)).toEqual(['a/b/1', 'a/é', 'ab', 'b/1']);
  });

  test('a list has pages of 1,000 keys, also after a restart', async () => {
    const { put, world } = await begin();
    await Promise.all(Array.from({ length: 1_001 }, (_, n) => put(`many/${String(n).padStart(4, '0')}`)));
    const path = await connect(await world.reopen());
    const input = { Bucket: BUCKET, Prefix: 'many/' };
    const first = await path.send('ListObjectsV2', input);
    const { NextContinuationToken: ContinuationToken } = first;
    const second = await path.send('ListObjectsV2', { ...input, ContinuationToken });
    expect(first).toMatchObject({ KeyCount: 1_000, IsTruncated: true });
    expect(second).toMatchObject({ KeyCount: 1, IsTruncated: false, Contents: [{ Key: 'many/1000' }] });
  });

  test.each([
    ['PutObject', { Key: 'k', Body: 'x', ACL: 'private' }],
    ['PutObject', { Key: 'k', Body: 'x', Tagging: 'a=b' }],
    ['PutObject', { Key: 'k', Body: 'x', IfNoneMatch: '*' }],
    ['PutObject', { Key: 'k', Body: 'x', Metadata: { a: 'b' } }],
    ['GetObject', { Key: 'k', VersionId: '1' }],
    ['ListObjectsV2', { StartAfter: 'k' }],
  ])('%s with %j is refused', async (operation, input) => {
    const { put, send } = await begin();
    await put('k');
    await expect(send(operation, { Bucket: BUCKET, ...input })).rejects.toMatchObject({
      name: 'NotImplemented',
    });
  });
});
