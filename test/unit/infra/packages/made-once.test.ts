import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { madeOnce } from '../../../../infra/packages/made-once.ts';

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'made-once-'));
});
afterEach(() => {
  rmSync(cache, { recursive: true, force: true });
});

const make = (text: string) => (folder: string) => {
  expect(readdirSync(cache), 'nothing has the name yet').not.toContain('folder');
  writeFileSync(join(folder, 'file'), text);
  return Promise.resolve();
};

test('makes a folder once', async () => {
  const folder = join(cache, 'folder');
  expect(await madeOnce(folder, make('first'))).toBe(folder);
  await madeOnce(folder, () => expect.fail('made again'));
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('first');
});

test('two concurrent makers: the first to finish wins, and the other one uses its result', async () => {
  const folder = join(cache, 'folder');
  const slow = madeOnce(folder, async (unfinished) => {
    writeFileSync(join(unfinished, 'file'), 'slow');
    await madeOnce(folder, make('quick'));
  });
  expect(await slow).toBe(folder);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('quick');
  expect(readdirSync(cache)).toEqual(['folder']);
});

test('leaves nothing of what failed', async () => {
  const folder = join(cache, 'folder');
  const failing = madeOnce(folder, async (folder) => {
    await make('half')(folder);
    throw new Error('half way');
  });
  await expect(failing).rejects.toThrow('half way');
  expect(readdirSync(cache)).toEqual([]);
});
