import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { DiskValue } from '../../../../../infra/embedded/disk/disk-value.ts';
import type { Disk, OwnedRows, WriteRow } from '../../../../../infra/embedded/disk/disk.ts';
import { Journal } from '../../../../../infra/embedded/disk/journal.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';
import { crashCopy } from '../../../../support/crash-copy.ts';
import { until } from '../../../../support/until.ts';

/** Rows of texts, in memory until they are handed over. */
class OwnedTexts implements OwnedRows {
  readonly #disk: Disk;
  readonly #own = new Map<string, string>();
  readonly #changed = new Set<string>();

  constructor(disk: Disk) {
    this.#disk = disk;
    disk.own(this);
  }

  get size(): number {
    return this.#own.size;
  }

  get isChanged(): boolean {
    return this.#changed.size > 0;
  }

  set(key: string, text: string): void {
    if (this.#disk.get(key) === undefined) this.#own.set(key, text);
    else this.#disk.put(key, text);
    if (this.#own.has(key)) this.#changed.add(key);
  }

  delete(key: string): void {
    if (this.#own.delete(key)) this.#changed.add(key);
    else this.#disk.del(key);
  }

  writeChanges(write: WriteRow): void {
    for (const key of this.#changed) write(key, this.#own.get(key));
  }

  written(): void {
    this.#changed.clear();
  }

  handOver(putNew: (key: string, value: DiskValue) => void): void {
    for (const [key, text] of this.#own) putNew(key, text);
    this.#own.clear();
  }
}

let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tributary-owned-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(path, { recursive: true, force: true });
});

async function everything(directory: string): Promise<[string, string][]> {
  const disk = await openDisk(directory, { sync: 'interval' });
  const found: [string, string][] = [];
  for await (const entry of disk.entries('')) found.push(entry);
  await disk.close();
  return found;
}

/** All entries after a crash at this moment. */
function afterCrash(): Promise<[string, string][]> {
  const copy = `${path}-crashed`;
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  crashCopy(path, copy);
  return everything(copy);
}

/** Keys that LevelDB is given. */
function keysInLevel(): Set<string> {
  const keys = new Set<string>();
  const { batch } = ClassicLevel.prototype;
  vi.spyOn(ClassicLevel.prototype, 'batch').mockImplementation(function (this: ClassicLevel, ...args: unknown[]) {
    for (const { key } of args[0] as { key: string }[]) keys.add(key);
    return Reflect.apply(batch, this, args) as never;
  });
  return keys;
}

const sorted = (model: ReadonlyMap<string, string>) => [...model].sort(([a], [b]) => (a < b ? -1 : 1));

/** Pauses of a move, which the test ends. */
function pauses() {
  const waiting: (() => void)[] = [];
  return {
    waiting,
    pause: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    end() {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

test('owned rows survive any sequence of writes, moves and crashes, together with the other rows', async () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const open = () => openDisk(path, { sync: 'interval', journalBytes: 2_000, pause: () => Promise.resolve() });
  let disk = await open();
  let owner = new OwnedTexts(disk);
  const model = new Map<string, string>();
  for (let round = 0; round < 300; round += 1) {
    for (let n = random(6); n >= 0; n -= 1) {
      const key = `${random(2) === 0 ? 'o' : 'k'}/${random(30)}`;
      const text = `${round} é ${'x'.repeat(random(60))}`;
      const rows = key.startsWith('o')
        ? { put: () => owner.set(key, text), del: () => owner.delete(key) }
        : { put: () => disk.put(key, text), del: () => disk.del(key) };
      if (random(3) === 0) {
        rows.del();
        model.delete(key);
      } else {
        rows.put();
        model.set(key, text);
      }
    }
    await disk.commit();
    if (round % 30 === 0) expect(await afterCrash()).toEqual(sorted(model));
    if (round % 100 === 99) {
      await disk.close();
      disk = await open();
      owner = new OwnedTexts(disk);
    }
  }
  const found: [string, string][] = [];
  for await (const entry of disk.entries('')) found.push(entry);
  expect(found).toEqual(sorted(model));
  await disk.close();
  expect(await everything(path)).toEqual(sorted(model));
});

test('lists have owned rows, though no other row was written', async () => {
  const disk = await openDisk(path, { sync: 'interval' });
  const owner = new OwnedTexts(disk);
  owner.set('o/a', 'x');
  await disk.commit();
  const keys: string[] = [];
  for await (const key of disk.keys('o/')) keys.push(key);
  expect(keys).toEqual(['o/a']);
  await disk.close();
});

test('a row that is deleted before the journal moves never reaches LevelDB', async () => {
  const keys = keysInLevel();
  const disk = await openDisk(path, { sync: 'interval', journalBytes: 1_000 });
  const owner = new OwnedTexts(disk);
  for (let n = 0; n < 100; n += 1) {
    owner.set(`o/${n}`, 'x'.repeat(100));
    await disk.commit();
    owner.delete(`o/${n}`);
    await disk.commit();
  }
  owner.set('o/left', 'left');
  await disk.commit();
  await disk.close();
  // The journal may move between a row's write and its deletion.
  expect(keys.size).toBeLessThan(30);
  expect(await everything(path)).toEqual([['o/left', 'left']]);
});

test('a crash in the middle of a move loses no owned row, and brings no deleted one back', async () => {
  const move = pauses();
  const disk = await openDisk(path, { sync: 'interval', journalBytes: 20_000, pause: move.pause });
  const owner = new OwnedTexts(disk);
  const model = new Map<string, string>();
  const set = (key: string, text: string) => {
    owner.set(key, text);
    model.set(key, text);
  };
  for (let n = 0; n < 250; n += 1) set(`o/${n}`, 'x'.repeat(100));
  await disk.commit();
  await until('the move has written a part', () => move.waiting.length > 0);
  expect(owner.size).toBe(0);
  expect(await afterCrash()).toEqual(sorted(model));
  for (const n of [0, 50, 150, 249]) {
    owner.delete(`o/${n}`);
    model.delete(`o/${n}`);
  }
  set('o/50', 'again');
  set('o/200', 'changed');
  set('o/new', 'new');
  await disk.commit();
  expect(await afterCrash()).toEqual(sorted(model));
  const closed = disk.close();
  while (move.waiting.length > 0) {
    move.end();
    await new Promise(setImmediate);
  }
  await closed;
  expect(await everything(path)).toEqual(sorted(model));
});

test('a move writes staged rows first, those of owners and others: a crash leaves all or none of them', async () => {
  const move = pauses();
  const disk = await openDisk(path, { sync: 'interval', pause: move.pause });
  const owner = new OwnedTexts(disk);
  for (let n = 0; n < 150; n += 1) disk.put(`k/${n}`, 'x');
  await disk.commit();
  const listed = (async () => {
    for await (const key of disk.keys('o/')) expect(key).toBe('o/staged');
  })();
  owner.set('o/staged', 'x');
  disk.put('k/staged', 'x');
  await until('LevelDB has a part', () => disk.getBytes('k/0') !== undefined && owner.size === 0);
  const found = (await afterCrash()).map(([key]) => key);
  expect(found.filter((key) => key.endsWith('staged'))).toEqual(['k/staged', 'o/staged']);
  await listed;
  await disk.close();
});

test('changes that the journal refused stay, once however often they change, and are written later', async () => {
  const disk = await openDisk(path, { sync: 'interval' });
  const owner = new OwnedTexts(disk);
  owner.set('o/deleted', 'x');
  await disk.commit();
  const append = vi.spyOn(Journal.prototype, 'append').mockImplementation((writeRows) => {
    writeRows(() => undefined);
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  owner.delete('o/deleted');
  for (let n = 0; n < 10; n += 1) {
    owner.set('o/changed', String(n));
    await expect(disk.commit()).rejects.toMatchObject({ code: 'ENOSPC' });
  }
  expect(disk.problem?.code).toBe('ENOSPC');
  expect((await afterCrash()).map(([key]) => key)).toEqual(['o/deleted']);
  append.mockRestore();
  await disk.commit();
  expect(disk.problem).toBeUndefined();
  expect(await afterCrash()).toEqual([['o/changed', '9']]);
  await disk.close();
});

test('a journal that cannot begin a new file leaves the rows readable, and the next move takes them', async () => {
  const disk = await openDisk(path, { sync: 'interval', journalBytes: 100 });
  const owner = new OwnedTexts(disk);
  const { rotate } = Journal.prototype;
  const rotated = vi.spyOn(Journal.prototype, 'rotate').mockImplementationOnce(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  owner.set('o/a', 'x'.repeat(200));
  owner.set('o/b', 'x'.repeat(200));
  await disk.commit();
  await until('a move failed', () => rotated.mock.calls.length === 1);
  rotated.mockImplementation(function (this: Journal) {
    return Reflect.apply(rotate, this, []);
  });
  expect(disk.get('o/a')).toHaveLength(200);
  owner.delete('o/b');
  await disk.commit();
  expect((await afterCrash()).map(([key]) => key)).toEqual(['o/a']);
  await disk.close();
  expect((await everything(path)).map(([key]) => key)).toEqual(['o/a']);
});

test('a refused write that is taken back leaves no problem', async () => {
  const disk = await openDisk(path, { sync: 'interval' });
  vi.spyOn(Journal.prototype, 'append').mockImplementationOnce(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  });
  disk.putNew('a', 'x');
  await expect(disk.commit()).rejects.toMatchObject({ code: 'ENOSPC' });
  disk.del('a');
  await disk.commit();
  expect(disk.problem).toBeUndefined();
  await disk.close();
});

describe('changes of owners that may be written later', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('are in the journal with the next flush to the device, and reads of other rows do not wait for them', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    const owner = new OwnedTexts(disk);
    owner.set('o/a', 'x');
    disk.commitLater();
    await disk.commitRows();
    expect(await afterCrash()).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(vi.getTimerCount()).toBe(0);
    expect(await afterCrash()).toEqual([['o/a', 'x']]);
    await disk.close();
  });

  test('are in the journal with the next row', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    const owner = new OwnedTexts(disk);
    owner.set('o/a', 'x');
    disk.commitLater();
    disk.put('row', 'y');
    await disk.commitRows();
    expect(await afterCrash()).toEqual([
      ['o/a', 'x'],
      ['row', 'y'],
    ]);
    await disk.close();
  });

  test('stay when the disk is full at that flush, and are written when it has room again', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    const owner = new OwnedTexts(disk);
    owner.set('o/a', 'x');
    disk.commitLater();
    vi.spyOn(Journal.prototype, 'append').mockImplementationOnce(() => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    });
    vi.advanceTimersByTime(200);
    expect(disk.problem?.code).toBe('ENOSPC');
    await vi.advanceTimersByTimeAsync(500);
    await disk.commit();
    expect(disk.problem).toBeUndefined();
    expect(await afterCrash()).toEqual([['o/a', 'x']]);
    await disk.close();
  });
});
