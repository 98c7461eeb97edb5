import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DirectorySync } from '../../../../../infra/embedded/s3/directory-sync.ts';

/** The order in which the promises resolve, by their names. */
async function orderOf(promises: Readonly<Record<string, Promise<void>>>): Promise<string[]> {
  const order: string[] = [];
  await Promise.all(
    Object.entries(promises).map(async ([name, promise]) => {
      await promise;
      order.push(name);
    }),
  );
  return order;
}

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'directory-sync-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

test('a call during a sync waits for the next one, which later calls share', async () => {
  const names = new DirectorySync(aFolder());
  const first = names.sync();
  await Promise.resolve();
  const [second, third] = [names.sync(), names.sync()];
  expect([first === second, second === third]).toEqual([false, true]);
  await expect(orderOf({ second, first })).resolves.toEqual(['first', 'second']);
});

test('an error fails those who shared the sync, and no later one', async () => {
  const folder = join(aFolder(), 'late');
  const names = new DirectorySync(folder);
  const failed = [names.sync(), names.sync()];
  for (const each of await Promise.allSettled(failed))
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'ENOENT' } });
  await mkdir(folder);
  await expect(names.sync()).resolves.toBeUndefined();
});
