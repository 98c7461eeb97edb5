import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DataDirectoryInUse } from '../../../../infra/embedded/disk.ts';
import { openDisk } from '../../../../infra/embedded/open-disk.ts';
import { crashCopy } from '../../../support/crash-copy.ts';

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
});

afterEach(() => {
  rmSync(path, { recursive: true, force: true });
});

describe('disk', () => {
  test('reads what was staged before it is written, deletions included', async () => {
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

  test('has everything again when it is opened again, in key order', async () => {
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

  test('refuses a directory that another opener holds, with a sentence', async () => {
    const holder = await openDisk(path, { sync: 'interval' });
    await expect(openDisk(path, { sync: 'interval' })).rejects.toThrow(DataDirectoryInUse);
    await holder.close();
  });

  test('loses nothing that was committed when its process is killed', async () => {
    const program = `
      import { openDisk } from './infra/embedded/open-disk.ts';
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

  /** The directory as a crash at this moment leaves it. */
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

  test('gives back what was committed, whatever came over it, in whatever order it moved on', async () => {
    let seed = 7;
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    let disk = await openDisk(path, { sync: 'interval', journalBytes: 2_000 });
    const model = new Map<string, string>();
    for (let round = 0; round < 400; round += 1) {
      for (let n = random(6); n >= 0; n -= 1) {
        const key = `k/${random(30)}`;
        const value = `${round} é ${'x'.repeat(random(40))}`;
        if (random(3) === 0) {
          disk.del(key);
          model.delete(key);
        } else {
          if (model.has(key)) disk.put(key, value);
          else disk.putNew(key, value);
          model.set(key, value);
        }
      }
      await disk.commit();
      for (let n = 0; n < 30; n += 1) expect(disk.get(`k/${n}`)).toBe(model.get(`k/${n}`));
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

  test('what is new and deleted again leaves nothing behind', async () => {
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

  test('a record that a loss of power tore ends what is read, all before it is there', async () => {
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
    // What is written after it is not behind the torn record.
    const again = await openDisk(copy, { sync: 'interval' });
    again.put('d', 'x');
    await again.commit();
    await again.close();
    expect((await everything(copy)).map(([key]) => key)).toEqual(['a', 'b', 'd']);
  });

  test('a damaged record ends what is read, and nothing of later journals is taken without it', async () => {
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

  test('does not grow with what was deleted', async () => {
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

  test('with sync always what was committed is there after a crash', async () => {
    const disk = await openDisk(path, { sync: 'always' });
    disk.put('a', 'one');
    await disk.commit();
    expect(await everything(crashed())).toEqual([['a', 'one']]);
    await disk.close();
  });
});
