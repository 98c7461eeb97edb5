import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Backups } from '../../../../../infra/embedded/backup/backup.ts';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import type { Disk, DiskSnapshot } from '../../../../../infra/embedded/disk/disk.ts';
import { DiskSpace } from '../../../../../infra/embedded/disk/disk-space.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';
import { noFaults } from '../../../../../infra/embedded/faults.ts';
import { KmsService } from '../../../../../infra/embedded/kms/service.ts';
import { S3Service } from '../../../../../infra/embedded/s3/service.ts';
import { SqsService } from '../../../../../infra/embedded/sqs/service.ts';
import { until } from '../../../../support/until.ts';
import { bodyOf } from '../../../contract/s3/paths.ts';

const LOCATION = { region: 'us-east-1', account: '000000000000' };
const ROLE = 'arn:aws:iam::000000000000:role/writer';
const LARGE = 'x'.repeat(300_000);

/** A file system of its own on Linux. */
const SHARED_MEMORY = '/dev/shm';
const isOtherFileSystem = (directory: string) =>
  existsSync(directory) && statSync(directory).dev !== statSync(tmpdir()).dev;

/** The services that keep data, in one data directory. */
async function openWorld(dataDir: string) {
  mkdirSync(dataDir, { recursive: true });
  const disk = await openDisk(join(dataDir, 'store'), { sync: 'interval' });
  const clock = new FakeClock();
  const s3 = new S3Service({ disk, dataDir, clock });
  await s3.load();
  s3.createBucket({ name: 'things' });
  const sqs = new SqsService({
    disk,
    clock,
    faults: noFaults,
    ...LOCATION,
    queueUrlBase: 'https://sqs.us-east-1.amazonaws.com',
  });
  const { url: QueueUrl } = await sqs.createQueue({ name: 'q' });
  const kms = new KmsService({ disk, dataDir, ...LOCATION });
  await kms.createKey('k1');
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    sqs.close();
    s3.stop();
    await disk.close();
  };
  onTestFinished(close);
  const object = { Bucket: 'things' };
  return {
    disk,
    s3,
    close,
    put: (Key: string, Body: string | Buffer) => s3.call('PutObject', { ...object, Key, Body }, ROLE),
    remove: (Key: string) => s3.call('DeleteObject', { ...object, Key }, ROLE),
    async read(Key: string) {
      return bodyOf(await s3.call('GetObject', { ...object, Key }, ROLE)).transformToString();
    },
    send: (MessageBody: string) => sqs.call('SendMessage', { QueueUrl, MessageBody }, ROLE),
    async messages() {
      const { Messages = [] } = await sqs.call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10 }, ROLE);
      return (Messages as { Body: string }[]).map(({ Body }) => Body).sort();
    },
    async row(key: string, value: string) {
      disk.put(key, value);
      await disk.commit();
    },
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

let folder: string;
let dataDir: string;
let path: string;
let world: World;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-backup-'));
  dataDir = join(folder, 'data');
  path = join(folder, 'copy');
  world = await openWorld(dataDir);
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const never = () => new AbortController().signal;

interface Hooks {
  pause?: () => Promise<unknown>;
  /** Runs as soon as the snapshot is taken. */
  afterSnapshot?: () => Promise<unknown>;
}

function backups({ pause = () => Promise.resolve(), afterSnapshot = () => Promise.resolve() }: Hooks = {}) {
  const disk: Pick<Disk, 'snapshot'> = {
    async snapshot(): Promise<DiskSnapshot> {
      const taken = await world.disk.snapshot();
      await afterSnapshot();
      return taken;
    },
  };
  return new Backups({ disk, bodyFiles: world.s3.bodyFiles, dataDir, pause });
}

const objectFiles = (directory: string) =>
  readdirSync(join(directory, 'objects')).filter((name) => !name.startsWith('free-'));

describe('a backup', () => {
  test('has rows, messages, objects and keys, and opens as a data directory', async () => {
    await world.row('k/a', 'é');
    await world.send('hello');
    await world.put('small', 'body');
    await world.put('large', LARGE);
    const report = await backups().make(path, never());
    expect(report).toMatchObject({ path, files: 1 });
    expect(report.entries).toBeGreaterThan(4);
    expect(report.bytes).toBeGreaterThan(300_000);
    expect(readdirSync(folder).sort()).toEqual(['copy', 'data']);
    expect(readdirSync(path).sort()).toEqual(['keys', 'objects', 'store']);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    const copy = await openWorld(path);
    expect(copy.disk.get('k/a')).toBe('é');
    expect(await copy.messages()).toEqual(['hello']);
    expect(await copy.read('small')).toBe('body');
    expect(await copy.read('large')).toBe(LARGE);
    expect(await world.messages()).toEqual(['hello']);
  });

  test('has whole commits, all that were acknowledged before it, and none that came while it is written', async () => {
    const written = { last: 0, isDone: false };
    const writer = (async () => {
      for (let n = 1; !written.isDone; n += 1) {
        for (const key of ['k/a', 'k/b', 'x/c']) world.disk.put(key, String(n));
        await world.disk.commit();
        written.last = n;
      }
    })();
    for (let n = 0; n < 500; n += 1) world.disk.put(`m/${n}`, 'x');
    await world.row('k/last', 'x');
    const before = written.last;
    let atSnapshot = 0;
    await backups({
      afterSnapshot: async () => {
        atSnapshot = written.last;
        await world.row('z/late', 'x');
        await world.send('late');
        await world.put('late', LARGE);
      },
    }).make(path, never());
    written.isDone = true;
    await writer;
    const copy = await openWorld(path);
    const found = ['k/a', 'k/b', 'x/c'].map((key) => Number(copy.disk.get(key)));
    expect(new Set(found).size).toBe(1);
    expect(found[0]).toBeGreaterThanOrEqual(before);
    expect(found[0]).toBeLessThanOrEqual(atSnapshot);
    expect(written.last).toBeGreaterThan(atSnapshot);
    expect(copy.disk.get('z/late')).toBeUndefined();
    expect(await copy.messages()).toEqual([]);
    await expect(copy.read('late')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(objectFiles(path)).toEqual([]);
  });

  test('has nothing that moves to the store while it is written', async () => {
    await world.row('k/changed', 'before');
    await backups({
      afterSnapshot: async () => {
        await world.row('k/changed', 'after');
        await world.row('k/new', 'x');
        // A list moves the journal to the store.
        for await (const key of world.disk.keys('k/')) expect(key).toMatch(/^k\//);
      },
    }).make(path, never());
    const copy = await openWorld(path);
    expect(copy.disk.get('k/changed')).toBe('before');
    expect(copy.disk.get('k/new')).toBeUndefined();
  });

  test('has the files of objects that are removed while it is made; they are removed afterwards', async () => {
    await world.put('replaced', LARGE);
    await world.put('removed', `${LARGE}removed`);
    await backups({
      afterSnapshot: async () => {
        await world.remove('removed');
        await world.put('replaced', 'small');
        await world.put('new', `${LARGE}new`);
        expect(objectFiles(dataDir)).toHaveLength(3);
      },
    }).make(path, never());
    expect(objectFiles(dataDir)).toHaveLength(1);
    const copy = await openWorld(path);
    expect(await copy.read('replaced')).toBe(LARGE);
    expect(await copy.read('removed')).toBe(`${LARGE}removed`);
  });

  test('has the file of two objects once, and each of them after the other is removed', async () => {
    const bytes = Buffer.from(LARGE);
    await Promise.all([world.put('a', bytes), world.put('b', bytes)]);
    expect(await backups().make(path, never())).toMatchObject({ files: 1 });
    const copy = await openWorld(path);
    await copy.remove('a');
    expect(await copy.read('b')).toBe(LARGE);
    await world.remove('b');
    expect(await world.read('a')).toBe(LARGE);
    await world.remove('a');
    expect(objectFiles(dataDir)).toEqual([]);
  });

  test('stays whole when the service removes the objects later and stores others', async () => {
    await world.put('old', `${LARGE}old`);
    await backups().make(path, never());
    await world.remove('old');
    await world.put('new', `${LARGE}new`);
    const copy = await openWorld(path);
    expect(await copy.read('old')).toBe(`${LARGE}old`);
    await copy.remove('old');
    await copy.put('other', `${LARGE}other`);
    expect(await world.read('new')).toBe(`${LARGE}new`);
  });

  test.runIf(isOtherFileSystem(SHARED_MEMORY))('has copies of the files on another file system', async () => {
    const elsewhere = mkdtempSync(join(SHARED_MEMORY, 'tributary-backup-'));
    onTestFinished(() => {
      rmSync(elsewhere, { recursive: true, force: true });
    });
    await world.put('large', LARGE);
    await world.put('larger', `${LARGE}larger`);
    const isLowAfter = vi.spyOn(DiskSpace.prototype, 'isLowAfter');
    await backups().make(join(elsewhere, 'copy'), never());
    // The room for the store alone, and with the copies.
    const asked = isLowAfter.mock.calls.map(([bytes]) => bytes).filter((bytes) => bytes > 0);
    expect(asked[1]).toBe((asked[0] ?? 0) + 2 * LARGE.length + 'larger'.length);
    const copy = await openWorld(join(elsewhere, 'copy'));
    expect(await copy.read('larger')).toBe(`${LARGE}larger`);
  });

  test('leaves the removals of later objects as they were', async () => {
    await backups().make(path, never());
    await world.put('k', LARGE);
    await world.remove('k');
    expect(objectFiles(dataDir)).toEqual([]);
  });

  test('replaces what an interrupted backup to the same path left', async () => {
    mkdirSync(`${path}.unfinished-backup/store`, { recursive: true });
    writeFileSync(`${path}.unfinished-backup/store/half`, 'x');
    await backups().make(path, never());
    expect(readdirSync(folder).sort()).toEqual(['copy', 'data']);
    expect(readdirSync(join(path, 'store'))).not.toContain('half');
  });
});

describe('a backup is refused, and leaves nothing,', () => {
  async function refused(location: string, options: { signal?: AbortSignal; hooks?: Hooks } = {}) {
    const before = readdirSync(folder).sort();
    const { signal = never(), hooks } = options;
    const error: unknown = await backups(hooks)
      .make(location, signal)
      .catch((reason: unknown) => reason);
    expect(readdirSync(folder).sort()).toEqual(before);
    await world.put('k', LARGE);
    await world.remove('k');
    expect(objectFiles(dataDir)).toEqual([]);
    expect(error).toBeInstanceOf(Error);
    return error instanceof Error ? error.message : '';
  }

  test('where something is', async () => {
    writeFileSync(path, 'x');
    expect(await refused(path)).toContain(`something at ${path} already`);
    rmSync(path);
    mkdirSync(path);
    expect(await refused(path)).toContain('remove it');
  });

  test('in the data directory', async () => {
    expect(await refused(join(dataDir, 'copy'))).toContain('choose a path outside');
    expect(await refused(join(dataDir, 'objects', 'copy'))).toContain('choose a path outside');
  });

  test('without a folder, or at a path from an unknown one', async () => {
    expect(await refused(join(folder, 'none', 'copy'))).toContain(`no folder ${join(folder, 'none')}`);
    writeFileSync(join(folder, 'file'), 'x');
    expect(await refused(join(folder, 'file', 'copy'))).toContain('choose another path');
    expect(await refused('copy')).toContain('not absolute');
  });

  test('where the service may not write', async () => {
    const denied = Object.assign(new Error('denied'), { code: 'EACCES' });
    const hooks = { afterSnapshot: () => Promise.reject(denied) };
    expect(await refused(path, { hooks })).toContain(`may not write to ${folder}`);
  });

  test.runIf(process.platform === 'linux')('in a file system that takes no folder', async () => {
    expect(await refused('/sys/tributary-backup')).toContain('may not write to /sys/tributary-backup');
  });

  test('without room, before it writes and while it writes', async () => {
    const isLow = vi.spyOn(DiskSpace.prototype, 'isLowAfter').mockReturnValue(true);
    const snapshot = vi.spyOn(world.disk, 'snapshot');
    expect(await refused(path)).toContain('has no room');
    expect(snapshot).not.toHaveBeenCalled();
    isLow.mockReturnValueOnce(false);
    expect(await refused(path)).toContain(`The disk of ${folder} has no room`);
    isLow.mockRestore();
    const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
    expect(await refused(path, { hooks: { pause: () => Promise.reject(full) } })).toContain('has no room');
  });

  test('when removed files wait until the disk is nearly full', async () => {
    await world.put('large', LARGE);
    const isLow = vi.spyOn(DiskSpace.prototype, 'isLow', 'get').mockReturnValue(true).mockReturnValueOnce(false);
    const hooks = { afterSnapshot: () => world.remove('large') };
    expect(await refused(path, { hooks })).toContain('no room for removed ones');
    isLow.mockReturnValue(true);
    await world.put('large', LARGE);
    await expect(backups().make(path, never())).resolves.toMatchObject({ files: 1 });
  });

  test('while another one is made', async () => {
    let second: Promise<string> | undefined;
    const both = backups({
      afterSnapshot: async () => {
        second = both.make(join(folder, 'second'), never()).then(
          () => 'made',
          (error: unknown) => String(error),
        );
        await second;
      },
    });
    await both.make(path, never());
    expect(await second).toContain('Another backup of this service is running');
    expect(readdirSync(folder).sort()).toEqual(['copy', 'data']);
    await both.make(join(folder, 'third'), never());
  });

  test('when its command ends', async () => {
    const stop = new AbortController();
    const hooks = {
      pause: () => {
        stop.abort();
        return Promise.resolve();
      },
    };
    expect(await refused(path, { signal: stop.signal, hooks })).toBe('The backup was ended. Nothing of it is left.');
  });

  test('when its command ends before there is a snapshot', async () => {
    const stop = new AbortController();
    const taken = world.disk.snapshot();
    let give: (() => void) | undefined;
    const disk = {
      snapshot: () => new Promise<DiskSnapshot>((resolve) => (give = () => void taken.then(resolve))),
    };
    const made = new Backups({ disk, bodyFiles: world.s3.bodyFiles, dataDir }).make(path, stop.signal);
    made.catch(() => undefined);
    const giveLate = await until('the wait for a snapshot', () => give);
    stop.abort();
    await expect(made).rejects.toThrow('The backup was ended');
    expect(readdirSync(folder)).toEqual(['data']);
    const close = vi.spyOn(await taken, 'close');
    giveLate();
    await until('the end of the snapshot', () => close.mock.calls.length === 1);
  });

  test('when the service stops', async () => {
    let closed: Promise<void> | undefined;
    const made = backups({
      pause: () => {
        closed ??= made.close();
        return Promise.resolve();
      },
    });
    await expect(made.make(path, never())).rejects.toThrow('The backup was ended');
    await closed;
    expect(readdirSync(folder)).toEqual(['data']);
  });

  test.runIf(process.getuid?.() === 0)('where another user has made the unfinished folder', async () => {
    mkdirSync(`${path}.unfinished-backup`);
    chownSync(`${path}.unfinished-backup`, 12_345, 12_345);
    expect(await refused(path)).toContain('not from an earlier backup');
  });
});
