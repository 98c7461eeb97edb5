import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../../../../infra/embedded/disk/journal.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';
import { until } from '../../../../support/until.ts';

test('a commit that was under way when a flush failed is refused, and so is every later one', async () => {
  const path = mkdtempSync(join(tmpdir(), 'tributary-flush-'));
  onTestFinished(() => {
    vi.restoreAllMocks();
    rmSync(path, { recursive: true });
  });
  const disk = await openDisk(path, { sync: 'interval' });
  let fail: (error: Error) => void = () => undefined;
  const sync = vi.spyOn(Journal.prototype, 'sync').mockImplementation(
    () =>
      new Promise((_, reject) => {
        fail = reject;
      }),
  );
  disk.put('a', '1');
  await disk.commit();
  await until('the flush', () => sync.mock.calls.length === 1);
  disk.put('b', '2');
  const underWay = disk.commit();
  fail(Object.assign(new Error('broken'), { code: 'EIO' }));
  await expect(underWay).rejects.toMatchObject({ code: 'EIO' });
  expect(disk.problem?.code).toBe('EIO');
  disk.put('c', '3');
  await expect(disk.commit()).rejects.toMatchObject({ code: 'EIO' });
  const appended = vi.spyOn(Journal.prototype, 'append');
  disk.commitLater();
  await until('the next flush', () => sync.mock.calls.length === 2);
  expect(appended).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  await expect(disk.close()).rejects.toMatchObject({ code: 'EIO' });
});
