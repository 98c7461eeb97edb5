import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { installedOnce } from '../../../../functions/builder/packages/installed-sets.ts';

test('the reason of a refused installation is kept while npm still writes its files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'installed-sets-'));
  const installedSets = join(folder, 'installed-sets');
  const work = join(folder, 'work-1');
  let isOver = false;
  let writer: Promise<void> | undefined;
  const installing = installedOnce({ installedSetsDirectory: installedSets, workDirectory: work }, 'key', (path) => {
    let n = 0;
    writer = (async () => {
      // Without an end the removal would follow the writer for a minute.
      while (!isOver && n < 5_000) {
        for (let more = 0; more < 20; more += 1, n += 1) {
          mkdirSync(join(path, `${n % 50}`), { recursive: true });
          writeFileSync(join(path, `${n % 50}`, `${n}`), '');
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    return new Promise((_, reject) => setTimeout(() => reject(new Error('too many files')), 20));
  });

  await expect(installing).rejects.toThrow('too many files');
  isOver = true;
  await writer;
  rmSync(folder, { recursive: true, force: true });
});
