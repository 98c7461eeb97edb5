import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDisk } from '../../../infra/embedded/disk/open-disk.ts';

/** The journal wrote to the number of its closed file, which another file or a socket of the process had by then. */
test.each(['always', 'interval'] as const)(
  'a write after the end of a disk (sync: %s) is refused and reaches no other file of the process',
  async (sync) => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-disk-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const disk = await openDisk(join(folder, 'store'), { sync });
    disk.put('before', '1');
    await disk.close();
    const names = Array.from({ length: 8 }, (_, at) => join(folder, `other-${at}`));
    const others = names.map((name) => openSync(name, 'w'));
    disk.put('after', '2');
    await expect(disk.commit()).rejects.toThrow('The data directory cannot be written.');
    for (const other of others) closeSync(other);
    expect(names.map((name) => readFileSync(name, 'utf8'))).toEqual(names.map(() => ''));

    const again = await openDisk(join(folder, 'store'), { sync });
    expect([again.get('before'), again.get('after')]).toEqual(['1', undefined]);
    await again.close();
  },
);
