import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { DataDirectoryInUse } from '../../../../../infra/embedded/disk/disk.ts';
import { valueWithHead } from '../../../../../infra/embedded/disk/disk-value.ts';
import { Journal } from '../../../../../infra/embedded/disk/journal.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';
import { crashCopy } from '../../../../support/crash-copy.ts';
import { until } from '../../../../support/until.ts';

let path: string;
const textOfBytes = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
});

afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('disk', () => {
  test('reads staged writes and deletions', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    disk.put('a', 'one');
    expect(disk.get('a')).toBe('one');
    const written = disk.commit();
    disk.del('a');
    expect(disk.get('a')).toBeUndefined();
    await written;
    expect(disk.get('a')).toBeUndefined();
    await disk.close();
  });

  test('has all entries in key order after it is opened again', async () => {
    const first = await openDisk(path, { sync: 'interval' });
    first.put('x/2', 'b');
    first.put('x/1', 'a');
    first.put('y/1', 'elsewhere');
    first.put('bytes', new Uint8Array([0, 255, 7]));
    await first.commit();
    await first.close();

    const again = await openDisk(path, { sync: 'interval' });
    const found = [];
    for await (const entry of again.entries('x/')) found.push(entry);
    expect(found).toEqual([
      ['x/1', 'a'],
      ['x/2', 'b'],
    ]);
    expect([...(again.getBytes('bytes') ?? [])]).toEqual([0, 255, 7]);
    await again.close();
  });

  test('moves a full journal with pauses until the next one is half full, or until someone waits for the move', async () => {
    const pauses: (() => void)[] = [];
    const pause = () => new Promise<void>((resolve) => void pauses.push(resolve));
    const disk = await openDisk(path, { sync: 'interval', journalBytes: 100_000, pause });
    const write = async (keys: string, count: number) => {
      for (let n = 0; n < count; n += 1) disk.put(`${keys}/${n}`, 'x'.repeat(100));
      await disk.commit();
    };
    const paused = (times: number) => until(`${times} pauses`, () => pauses.length === times);
    await write('a', 1_000);
    await paused(1);
    pauses[0]?.();
    await paused(2);
    await write('b', 500);
    pauses[1]?.();
    const journals = () => readdirSync(join(path, 'journal')).length;
    await until('the first journal is moved', () => journals() === 1);
    expect(pauses).toHaveLength(2);
    await write('c', 1_000);
    // The first move may end after its journal was deleted. Then the next write begins the second one.
    await until('3 pauses', async () => {
      await write('d', 1);
      return pauses.length === 3;
    });
    const closed = disk.close();
    pauses[2]?.();
    await closed;
    expect(pauses).toHaveLength(3);
    const again = await openDisk(path, { sync: 'interval', pause });
    expect(pauses).toHaveLength(3);
    for (const [keys, count] of [
      ['a', 1_000],
      ['b', 500],
      ['c', 1_000],
    ] as const)
      for (let n = 0; n < count; n += 1) expect(again.get(`${keys}/${n}`)).toHaveLength(100);
    await again.close();
  });

  test('wakes nothing while nothing is written, and is on the device 200 ms after it was', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.restoreAllMocks();
    });
    const synced = vi.spyOn(Journal.prototype, 'sync');
    const disk = await openDisk(path, { sync: 'interval' });
    synced.mockClear();
    expect(vi.getTimerCount()).toBe(0);
    for (const key of ['a', 'b']) {
      disk.put(key, 'value');
      await disk.commit();
    }
    expect([vi.getTimerCount(), synced.mock.calls.length]).toEqual([1, 0]);
    vi.advanceTimersByTime(200);
    expect([vi.getTimerCount(), synced.mock.calls.length]).toEqual([0, 1]);
    await disk.close();
  });

  test('refuses a directory that is open elsewhere', async () => {
    const holder = await openDisk(path, { sync: 'interval' });
    await expect(openDisk(path, { sync: 'interval' })).rejects.toThrow(DataDirectoryInUse);
    await holder.close();
  });

  test('loses no committed write when its process is killed', async () => {
    const program = `
      import { openDisk } from './infra/embedded/disk/open-disk.ts';
      const disk = await openDisk(${JSON.stringify(path)}, { sync: 'interval' });
      for (let n = 0; ; n += 1) {
        disk.put('n/' + String(n).padStart(9, '0'), 'x'.repeat(100));
        await disk.commit();
        process.stdout.write(n + '\\n');
      }`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.length > 2_000) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const acknowledged = text.split('\n').slice(0, -1).map(Number);

    const disk = await openDisk(path, { sync: 'interval' });
    const keys = [];
    for await (const key of disk.keys('n/')) keys.push(key);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(keys.length).toBeGreaterThanOrEqual(acknowledged.length);
    await disk.close();
  });

  /** The directory after a crash at this moment. */
  function crashed(): string {
    const copy = `${path}-crashed`;
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    crashCopy(path, copy);
    return copy;
  }

  const journalsIn = (directory: string) =>
    readdirSync(join(directory, 'journal'))
      .sort()
      .map((name) => join(directory, 'journal', name));

  async function everything(directory: string): Promise<[string, string][]> {
    const disk = await openDisk(directory, { sync: 'interval' });
    const found: [string, string][] = [];
    for await (const entry of disk.entries('')) found.push(entry);
    await disk.close();
    return found;
  }

  test('returns committed writes after any sequence of writes, moves and crashes', async () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let disk = await openDisk(path, { sync: 'interval', journalBytes: 2_000 });
    const model = new Map<string, string>();
    for (let round = 0; round < 400; round += 1) {
      for (let n = random(6); n >= 0; n -= 1) {
        const key = `k/${random(30)}`;
        const text = `${round} é ${'x'.repeat(random(40))}`;
        // A long text is stored in pieces.
        const value = random(20) === 0 ? text.repeat(200) : text;
        if (random(3) === 0) {
          disk.del(key);
          model.delete(key);
        } else {
          const stored = valueWithHead(value.slice(0, 2), value.slice(2));
          if (model.has(key)) disk.put(key, stored);
          else disk.putNew(key, stored);
          model.set(key, value);
        }
      }
      await disk.commit();
      for (let n = 0; n < 30; n += 1) {
        const text = model.get(`k/${n}`);
        expect(disk.get(`k/${n}`)).toBe(text);
        expect(textOfBytes(disk.getBytes(`k/${n}`))).toBe(text);
      }
      if (round % 40 === 0) {
        const expected = [...model].sort(([a], [b]) => (a < b ? -1 : 1));
        expect(await everything(crashed())).toEqual(expected);
      }
      if (round % 100 === 99) {
        await disk.close();
        disk = await openDisk(path, { sync: 'interval', journalBytes: 2_000 });
      }
    }
    await disk.close();
    expect(await everything(path)).toEqual([...model].sort(([a], [b]) => (a < b ? -1 : 1)));
  });

  test('a text in pieces may be longer than the memory in which the journal writes', async () => {
    const text = 'é'.repeat(1 << 20);
    const disk = await openDisk(join(path, 'open'), { sync: 'interval' });
    disk.putNew('long', valueWithHead('head ', text));
    disk.putNew('next', 'next');
    await disk.commit();
    const copy = join(path, 'crashed');
    crashCopy(join(path, 'open'), copy);
    await disk.close();
    const again = await openDisk(copy, { sync: 'interval' });
    expect(again.get('long') === `head ${text}`).toBe(true);
    expect(again.get('next')).toBe('next');
    await again.close();
  });

  test('a new key that is deleted again leaves no entry', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    disk.putNew('a', 'kept');
    await disk.commit();
    for (const commits of [true, false]) {
      disk.putNew('b', 'gone');
      if (commits) await disk.commit();
      disk.del('b');
      await disk.commit();
      expect(disk.get('b')).toBeUndefined();
    }
    await disk.close();
    expect(await everything(path)).toEqual([['a', 'kept']]);
  });

  test('a torn record ends the replay; all records before it are kept', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    for (const key of ['a', 'b', 'c']) {
      disk.put(key, 'x'.repeat(50));
      await disk.commit();
    }
    const copy = crashed();
    await disk.close();
    const [journal = ''] = journalsIn(copy).slice(-1);
    truncateSync(journal, readFileSync(journal).length - 10);
    expect((await everything(copy)).map(([key]) => key)).toEqual(['a', 'b']);
    // Later writes do not follow the torn record in its file.
    const again = await openDisk(copy, { sync: 'interval' });
    again.put('d', 'x');
    await again.commit();
    await again.close();
    expect((await everything(copy)).map(([key]) => key)).toEqual(['a', 'b', 'd']);
  });

  test('a damaged record ends the replay, also for later journals', async () => {
    const disk = await openDisk(path, { sync: 'interval' });
    for (const key of ['a', 'b']) {
      disk.put(key, 'x'.repeat(50));
      await disk.commit();
    }
    const copy = crashed();
    await disk.close();
    const [journal = ''] = journalsIn(copy).slice(-1);
    const bytes = readFileSync(journal);
    const whole = Buffer.from(bytes);
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    writeFileSync(journal, bytes);
    writeFileSync(join(copy, 'journal', '0000009999.journal'), whole);
    expect((await everything(copy)).map(([key]) => key)).toEqual(['a']);
  });

  test('does not grow with deleted keys', async () => {
    const disk = await openDisk(path, { sync: 'interval', journalBytes: 10_000 });
    for (let n = 0; n < 200; n += 1) {
      disk.putNew(`n/${n}`, 'x'.repeat(1_000));
      await disk.commit();
      disk.del(`n/${n}`);
    }
    await disk.commit();
    await disk.close();
    const again = await openDisk(path, { sync: 'interval' });
    expect(journalsIn(path)).toHaveLength(1);
    await again.close();
    expect(await everything(path)).toEqual([]);
  });

  test('with sync always, committed writes survive a crash', async () => {
    const disk = await openDisk(path, { sync: 'always' });
    disk.put('a', 'one');
    await disk.commit();
    expect(await everything(crashed())).toEqual([['a', 'one']]);
    await disk.close();
  });
});
