import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { until } from '../../../../support/until.ts';
import { type HeldDisk, heldDisk } from '../../../../support/held-disk.ts';
import { aWorld, bodyOf, BUCKET, ROLE, type World } from '../../../contract/s3/paths.ts';

const LARGE = 'x'.repeat(300_000);

const put = ({ service }: World, Key: string, Body: unknown) =>
  service.call('PutObject', { Bucket: BUCKET, Key, Body }, ROLE);
const read = async ({ service }: World, Key: string) =>
  bodyOf(await service.call('GetObject', { Bucket: BUCKET, Key }, ROLE)).transformToString();
const allFiles = ({ directory }: World) => readdir(join(directory, 'objects'));
/** Files with a body. */
const files = async (world: World) => (await allFiles(world)).filter((name) => !name.startsWith('free-'));

describe('S3 on disk', () => {
  test('acknowledged objects are there after a restart', async () => {
    const world = await aWorld();
    await put(world, 'small', 'hello');
    await put(world, 'large', LARGE);
    await put(world, '😀', 'emoji');
    await put(world, 'gone', LARGE);
    await world.service.call('DeleteObject', { Bucket: BUCKET, Key: 'gone' }, ROLE);
    const again = await world.reopen();
    await expect(read(again, 'small')).resolves.toBe('hello');
    await expect(read(again, 'large')).resolves.toBe(LARGE);
    await expect(read(again, '😀')).resolves.toBe('emoji');
    await expect(read(again, 'gone')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await again.service.call('GetObject', { Bucket: BUCKET, Key: 'large' }, ROLE)).toMatchObject({
      ContentLength: 300_000,
      ETag: expect.stringMatching(/^"[0-9a-f]{32}-1"$/) as string,
      LastModified: new Date(world.clock.now()),
    });
  });

  test('neither a read nor a refusal comes before the object that it depends on is on disk', async () => {
    let disk: HeldDisk | undefined;
    const world = await aWorld({ diskOf: (opened) => (disk = heldDisk(opened)) });
    const responses: string[] = [];
    const call = (name: string, operation: string, input: object) =>
      world.service.call(operation, { Bucket: BUCKET, Key: 'k', ...input }, ROLE).then(
        () => responses.push(name),
        () => responses.push(`${name} refused`),
      );
    void call('first', 'PutObject', { Body: Buffer.from('hello') });
    await new Promise(setImmediate);
    void call('second', 'DeleteObject', {});
    await new Promise(setImmediate);
    void call('read', 'GetObject', {});
    await new Promise(setImmediate);
    expect(responses).toEqual([]);
    await until('the calls end', async () => {
      disk?.release();
      await new Promise(setImmediate);
      return responses.length === 3;
    });
    expect(responses.sort()).toEqual(['first', 'read refused', 'second']);
  });

  test('a large body is one file, which a replacement or a deletion removes', async () => {
    const world = await aWorld();
    await put(world, 'k', LARGE);
    expect(await files(world)).toHaveLength(1);
    await put(world, 'k', `${LARGE}again`);
    expect(await files(world)).toHaveLength(1);
    await put(world, 'k', 'small');
    expect(await files(world)).toHaveLength(0);
    await put(world, 'k', LARGE);
    await world.service.call('DeleteObject', { Bucket: BUCKET, Key: 'k' }, ROLE);
    expect(await files(world)).toHaveLength(0);
  });

  test.each([
    ['first', ['a', 'b']],
    ['last', ['b', 'a']],
  ])('the same bytes under two keys at once are one file until both are gone, the %s one before', async (_, order) => {
    let world = await aWorld();
    const remove = (Key: string) => world.service.call('DeleteObject', { Bucket: BUCKET, Key }, ROLE);
    const bytes = Buffer.from(LARGE);
    const [earlier = '', later = ''] = order;
    for (const reopens of [false, true]) {
      await Promise.all(['a', 'b'].map((key) => put(world, key, bytes)));
      expect(await files(world)).toHaveLength(1);
      if (reopens) world = await world.reopen();
      await remove(earlier);
      await put(world, 'other', 'y'.repeat(300_000));
      await expect(read(world, later)).resolves.toBe(LARGE);
      await remove('other');
      await remove(later);
      expect(await files(world)).toHaveLength(0);
    }
  });

  test('bytes are shared only while they are being stored', async () => {
    const world = await aWorld();
    const bytes = Buffer.from(LARGE);
    await put(world, 'a', bytes);
    bytes.fill('y');
    await put(world, 'b', bytes);
    await expect(read(world, 'a')).resolves.toBe(LARGE);
    await expect(read(world, 'b')).resolves.toBe('y'.repeat(300_000));
  });

  test('bytes that are refused under two keys at once can be tried again, and leave nothing', async () => {
    const world = await aWorld({ maxPutBytes: 299_999 });
    const bytes = Buffer.from(LARGE);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refusals = ['a', 'b'].map((key) => put(world, key, bytes));
      for (const refusal of refusals) await expect(refusal).rejects.toMatchObject({ name: 'EntityTooLarge' });
    }
    expect(await allFiles(world)).toHaveLength(0);
  });

  test('a new body takes the file of a deleted one, and has nothing of it', async () => {
    const world = await aWorld();
    await put(world, 'old', `${LARGE}old`);
    await world.service.call('DeleteObject', { Bucket: BUCKET, Key: 'old' }, ROLE);
    await put(world, 'new', LARGE);
    expect(await allFiles(world)).toHaveLength(1);
    await expect(read(world, 'new')).resolves.toBe(LARGE);
    await expect(read(await world.reopen(), 'new')).resolves.toBe(LARGE);
  });

  test('a body that is being read is complete, though its object is deleted and other bodies come', async () => {
    const world = await aWorld();
    const [older, newer] = ['a', 'b'].map((letter) => letter.repeat(9_000_000));
    await put(world, 'k', older);
    const { Body } = await world.service.call('GetObject', { Bucket: BUCKET, Key: 'k' }, ROLE);
    await world.service.call('DeleteObject', { Bucket: BUCKET, Key: 'k' }, ROLE);
    await put(world, 'k', newer);
    expect((await bodyOf({ Body }).transformToString()) === older).toBe(true);
    expect((await read(world, 'k')) === newer).toBe(true);
  });

  test('of many deleted bodies only some hundred empty files are kept', async () => {
    const world = await aWorld();
    const keys = Array.from({ length: 300 }, (_, n) => `k${n}`);
    await Promise.all(keys.map((key) => put(world, key, LARGE)));
    await Promise.all(keys.map((Key) => world.service.call('DeleteObject', { Bucket: BUCKET, Key }, ROLE)));
    const kept = await allFiles(world);
    expect(kept).toHaveLength(256);
    const sizes = await Promise.all(kept.map(async (name) => stat(join(world.directory, 'objects', name))));
    expect(sizes.every(({ size }) => size === 0)).toBe(true);
  });

  test('a refused upload leaves no file', async () => {
    const world = await aWorld({ maxPutBytes: 290_000 });
    await expect(put(world, 'k', [LARGE])).rejects.toThrow();
    await expect(put(world, 'k', LARGE)).rejects.toMatchObject({ name: 'EntityTooLarge' });
    expect(await files(world)).toEqual([]);
  });

  test('the next start removes the files that a crash left behind', async () => {
    const world = await aWorld();
    await put(world, 'k', LARGE);
    await writeFile(join(world.directory, 'objects', 'half-written.part'), 'x');
    await writeFile(join(world.directory, 'objects', 'never-committed'), 'x');
    const again = await world.reopen();
    expect(await files(again)).toHaveLength(1);
    await expect(read(again, 'k')).resolves.toBe(LARGE);
  });
});
