import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adoptData } from '../../../bin/adoption/adopt-data.ts';
import { openDataDirectory } from '../../../infra/embedded/disk/data-directory.ts';
import { DATA_FORMAT, dataFormatOf } from '../../../infra/embedded/disk/data-format.ts';
import { DataDirectoryUnusable, type Disk } from '../../../infra/embedded/disk/disk.ts';

/** A data directory of d32114e, opened by 1b1f8d8, lost the deliveries that waited for a retry. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tributary-format-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the directory, and closes it after the work. */
async function withDisk<T>(work: (disk: Disk) => Promise<T>): Promise<T> {
  const disk = await openDataDirectory(folder);
  try {
    return await work(disk);
  } finally {
    await disk.close();
  }
}

const holding = (facts: object, body: object) =>
  withDisk(async (disk) => {
    disk.put('q/RetriesQueue/m/0000000000000001', `${JSON.stringify(facts)}\n${JSON.stringify(body)}`);
    await disk.commit();
  });
const facts = { id: 'm', size: 1, sentAt: 1, senderId: 's' };
const ids = { deliveryId: 'dl_0mwycr77u0000029kgoxrb5a', listenerId: 'wh_0mwycr75j89p1y79v2vjo601' };
const adopted = () => withDisk((disk) => adoptData(disk, folder).then(() => dataFormatOf(disk)));

test('a first start writes the number of the format', async () => {
  expect(await adopted()).toBe(DATA_FORMAT);
  expect(await withDisk((disk) => Promise.resolve(dataFormatOf(disk)))).toBe(DATA_FORMAT);
});

test('a directory without a number whose waiting retries cannot be read is refused and not changed', async () => {
  await holding(facts, { ...ids, attempt: 2 });
  await expect(adopted()).rejects.toThrow(/has 1 waiting messages of an earlier release .* start that release/);
  expect(await withDisk((disk) => Promise.resolve(dataFormatOf(disk)))).toBeUndefined();
});

test('a directory without a number whose messages can be read gets the number', async () => {
  await holding(facts, { kind: 'retry', ...ids, turn: 2 });
  expect(await adopted()).toBe(DATA_FORMAT);
});

test('dead letters that cannot be read do not refuse the directory', async () => {
  await holding({ ...facts, deadLetterSource: 'arn' }, { ...ids, attempt: 2 });
  expect(await adopted()).toBe(DATA_FORMAT);
});

test('a directory of a later release is refused with one sentence', async () => {
  await withDisk(async (disk) => {
    disk.put('m/format', String(DATA_FORMAT + 1));
    await disk.commit();
  });
  await expect(openDataDirectory(folder)).rejects.toThrow(DataDirectoryUnusable);
  await expect(openDataDirectory(folder)).rejects.toThrow(/has the format 2, and this release reads the format 1/);
});
