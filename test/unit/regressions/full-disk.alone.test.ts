import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { isDiskFull } from '../../../functions/runner/disk-use.ts';
import type { Disk } from '../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../infra/embedded/disk/open-disk.ts';
import { BodyFiles } from '../../../infra/embedded/s3/body-files.ts';
import { crashCopy } from '../../support/crash-copy.ts';
import { type SmallDisk, smallDisk } from '../../support/small-disk.ts';
import { until } from '../../support/until.ts';

/** A disk that was full for a second ended every write until a restart. */

const KILOBYTES = 1_024;
let small: SmallDisk | undefined;
let folders = 0;
const open: Disk[] = [];
beforeAll(async () => {
  small = await smallDisk(6);
});
afterEach(async () => {
  small?.free();
  for (const disk of open.splice(0)) await disk.close().catch(() => undefined);
});
afterAll(() => small?.stop());

const here = () => small ?? expect.fail('There is no small disk.');
const newFolder = () => join(here().path, String((folders += 1)));

async function opened(path: string, journalBytes = 64 * KILOBYTES): Promise<Disk> {
  const disk = await openDisk(path, { sync: 'interval', journalBytes });
  open.push(disk);
  return disk;
}

const value = (n: number) => `${n}`.repeat(8 * KILOBYTES);

/** Writes until the disk is full. Returns the acknowledged keys and the refused one. */
async function writeUntilFull(disk: Disk, prefix: string): Promise<{ written: string[]; refused: string }> {
  const written: string[] = [];
  for (let n = 0; ; n += 1) {
    const key = `${prefix}/${String(n).padStart(4, '0')}`;
    disk.put(key, value(n % 10));
    try {
      await disk.commit();
      written.push(key);
    } catch {
      return { written, refused: key };
    }
  }
}

async function keysOf(disk: Disk): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of disk.keys('')) keys.push(key);
  return keys;
}

/** LevelDB refuses reads while it opens again: 503, as of a service of AWS, and nothing else. */
const readOf = (disk: Disk, key: string): Promise<string | undefined> =>
  until('a read', () => {
    try {
      return disk.get(key);
    } catch (error) {
      expect(error).toMatchObject({ name: 'ServiceUnavailable', statusCode: 503 });
      return undefined;
    }
  });

const mounts = (await smallDisk(1).then((disk) => (disk?.stop(), disk !== undefined))) ? test : test.skip;

mounts('after a full disk writes go on, and the refused write is there', async () => {
  const path = newFolder();
  const disk = await opened(path, 1 << 20);
  disk.put('before', 'kept');
  await disk.commit();
  here().fill(100 * KILOBYTES);
  const { written, refused } = await writeUntilFull(disk, 'w');
  expect(written.length).toBeGreaterThan(2);
  expect(disk.problem?.code).toBe('ENOSPC');
  await expect(disk.commit()).rejects.toMatchObject({ name: 'ServiceUnavailable', statusCode: 503 });
  expect(disk.get('before')).toBe('kept');
  here().free();
  await until('the retry', () => disk.problem === undefined);
  disk.put('after', 'new');
  await disk.commit();
  await disk.close();
  const again = await opened(path);
  expect(await keysOf(again)).toEqual(['after', 'before', ...written, refused].toSorted());
  expect(again.get(refused)).toBe(value(written.length % 10));
});

mounts('a kill at any moment of a full disk loses nothing acknowledged', async () => {
  const path = newFolder();
  const disk = await opened(path, 1 << 20);
  here().fill(60 * KILOBYTES);
  const { written } = await writeUntilFull(disk, 'w');
  const copies = mkdtempSync(join(tmpdir(), 'tributary-full-'));
  onTestFinished(() => {
    rmSync(copies, { recursive: true, force: true });
  });
  crashCopy(path, copies);
  const whileFull = await opened(copies);
  expect(await keysOf(whileFull)).toEqual(expect.arrayContaining(written));
  await whileFull.close();
  here().free();
  await until('the retry', () => disk.problem === undefined);
  disk.put('after', 'new');
  await disk.commit();
  crashCopy(path, copies);
  const afterwards = await opened(copies);
  expect(await keysOf(afterwards)).toEqual(expect.arrayContaining([...written, 'after']));
});

mounts('LevelDB that met a full disk is opened again, and loses no write', async () => {
  const path = newFolder();
  const disk = await opened(path, 64 * KILOBYTES);
  here().fill(900 * KILOBYTES);
  const { written, refused } = await writeUntilFull(disk, 'w');
  for (const key of written) expect(await readOf(disk, key)).toBe(value(Number(key.slice(2)) % 10));
  here().free();
  await until('the retry', () => disk.problem === undefined);
  for (let n = 0; n < 40; n += 1) {
    disk.put(`x/${n}`, value(n % 10));
    await disk.commit();
  }
  for (const key of [...written, refused]) expect(await readOf(disk, key)).toBe(value(Number(key.slice(2)) % 10));
  expect(await keysOf(disk)).toHaveLength(written.length + 1 + 40);
  await disk.close();
  expect(await keysOf(await opened(path))).toHaveLength(written.length + 1 + 40);
});

mounts('a deletion that a full disk refused is done when there is room', async () => {
  const disk = await opened(newFolder(), 1 << 20);
  disk.put('a', value(1));
  await disk.commit();
  here().fill(0);
  disk.put('b', value(2));
  await expect(disk.commit()).rejects.toMatchObject({ statusCode: 503 });
  disk.del('a');
  expect([disk.get('a'), disk.get('b')]).toEqual([undefined, value(2)]);
  here().free();
  await until('the retry', () => disk.problem === undefined);
  await disk.close();
});

mounts('a stop on a full disk ends', async () => {
  const disk = await opened(newFolder(), 1 << 20);
  here().fill(0);
  disk.put('a', value(1).repeat(8));
  await expect(disk.close()).rejects.toMatchObject({ name: 'ServiceUnavailable', code: 'ENOSPC' });
});

mounts('the body of an object that meets a full disk leaves no file, and later bodies are taken', async () => {
  const path = newFolder();
  mkdirSync(path);
  const files = new BodyFiles(path);
  const body = [Buffer.alloc(600 * KILOBYTES, 1)];
  const expectation = { digests: {}, maxBytes: 1 << 30 };
  here().fill(400 * KILOBYTES);
  await expect(files.receive(body, expectation)).rejects.toMatchObject({ statusCode: 503 });
  here().free();
  expect((await files.receive(body, expectation)).content).toHaveProperty('file');
});

mounts('a run that has written to a disk which is nearly full counts as having no room', async () => {
  const path = newFolder();
  mkdirSync(path);
  expect(await isDiskFull(path)).toBe(false);
  here().fill(100 * KILOBYTES);
  expect(await isDiskFull(path)).toBe(false);
  writeFileSync(join(path, 'written'), value(1));
  expect(await isDiskFull(path)).toBe(true);
  here().free();
  expect(await isDiskFull(path)).toBe(false);
});
