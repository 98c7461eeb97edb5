import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { expect, onTestFinished, test } from 'vitest';
import { JournalMove } from '../../../../../infra/embedded/disk/journal-move.ts';
import type { Writes } from '../../../../../infra/embedded/disk/write-layer.ts';

const WRITES: Writes = new Map([
  ['a', { value: '1', isNew: true }],
  ['b', { value: undefined, isNew: false }],
]);

/** A move whose LevelDB fails its first batch, and the calls of the database. */
async function failingMove({ freeBytes }: { freeBytes: number }) {
  const directory = mkdtempSync(join(tmpdir(), 'journal-move-'));
  const db = new ClassicLevel<string, string | Uint8Array>(directory);
  await db.open();
  onTestFinished(async () => {
    await db.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const calls: string[] = [];
  const [batch, open] = [db.batch.bind(db), db.open.bind(db)];
  db.open = async () => {
    calls.push('open');
    await open();
  };
  let hasFailed = false;
  Object.assign(db, {
    batch: (...operations: Parameters<typeof batch>) => {
      calls.push('batch');
      if (hasFailed) return batch(...operations);
      hasFailed = true;
      return Promise.reject(new Error('no space left'));
    },
  });
  const move = new JournalMove(db, {
    pause: () => Promise.resolve(),
    freeBytes: () => freeBytes,
    isUrgent: () => true,
  });
  let forgotten = 0;
  move.begin({
    writes: WRITES,
    bytes: 100,
    forget: () => {
      forgotten += 1;
      return Promise.resolve();
    },
  });
  return { db, move, calls, forgotten: () => forgotten };
}

test('LevelDB is opened again after a batch that failed, and then gets all writes', async () => {
  const { db, move, calls, forgotten } = await failingMove({ freeBytes: Infinity });
  await expect(move.finish()).rejects.toMatchObject({ cause: { message: 'no space left' } });
  expect(move.writes).toBe(WRITES);
  expect(forgotten()).toBe(0);
  await move.finish();
  expect(calls).toEqual(['batch', 'open', 'batch']);
  expect(await db.get('a')).toBe('1');
  expect([move.writes, forgotten()]).toEqual([undefined, 1]);
});

test('LevelDB stays open, and the writes stay readable, while there is no room to open it again', async () => {
  const { move, calls } = await failingMove({ freeBytes: 1_000 });
  await expect(move.finish()).rejects.toThrow();
  await expect(move.finish()).rejects.toMatchObject({ cause: { message: 'LevelDB has no room to open.' } });
  expect(calls).toEqual(['batch']);
  expect(move.writes).toBe(WRITES);
});
