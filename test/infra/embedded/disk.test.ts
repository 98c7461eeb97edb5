import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DataDirectoryInUse, openDisk } from '../../../infra/embedded/disk.ts';

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
      import { openDisk } from './infra/embedded/disk.ts';
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
});
