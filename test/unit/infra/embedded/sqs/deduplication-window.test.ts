import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Disk } from '../../../../../infra/embedded/disk.ts';
import { openDisk } from '../../../../../infra/embedded/open-disk.ts';
import { DeduplicationWindow } from '../../../../../infra/embedded/sqs/deduplication-window.ts';
import { DigestMap } from '../../../../../infra/embedded/sqs/digest-map.ts';
import { QueueDisk } from '../../../../../infra/embedded/sqs/queue-disk.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 1);

let path: string;
let disk: Disk;
let queueDisk: QueueDisk;
let window: DeduplicationWindow;
let now: number;
let numbers: number;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'deduplication-test-'));
  disk = await openDisk(path, { sync: 'interval' });
  queueDisk = new QueueDisk(disk, 'queue');
  window = new DeduplicationWindow(queueDisk);
  now = START;
  numbers = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await disk.close();
  rmSync(path, { recursive: true });
});

/** The number of the message that the key was first used for. */
function send(key: string): number {
  const earlier = window.find(key, now);
  if (earlier) return earlier.number;
  numbers += 1;
  window.remember(key, { number: numbers, id: `id-${numbers}` }, now);
  return numbers;
}

async function restart(): Promise<void> {
  await disk.commit();
  const { deduplications } = await queueDisk.load(() => true);
  window = new DeduplicationWindow(queueDisk);
  window.load(deduplications, now);
}

const keysOnDisk = async () => {
  await disk.commit();
  return (await queueDisk.load(() => true)).deduplications.map(({ key }) => key).sort();
};

test('a duplicate is answered with the number and the id of the first', () => {
  send('other');
  send('key');
  now += 5 * MINUTE - 1;
  expect(window.find('key', now)).toEqual({ number: 2, id: 'id-2', until: START + 5 * MINUTE });
  now += 1;
  expect(window.find('key', now)).toBeUndefined();
});

test('a clock that is set back makes the window neither longer nor shorter', () => {
  send('key');
  now += 4 * MINUTE;
  expect(send('key')).toBe(1);
  now -= 60 * MINUTE;
  expect(send('key')).toBe(1);
  now += MINUTE - 1;
  expect(send('key')).toBe(1);
  now += 1;
  expect(send('key')).toBe(2);
});

test('after a restart with a clock that was set back, a key counts for five minutes at most', async () => {
  send('key');
  now -= 60 * MINUTE;
  await restart();
  now += 5 * MINUTE - 1;
  expect(send('key')).toBe(1);
  now += 1;
  expect(send('key')).toBe(2);
});

test('expired keys leave the disk, a few with each call, and none that was used again', async () => {
  const keys = Array.from({ length: 40 }, (_, n) => `key ${String(n).padStart(2, '0')}`);
  for (const key of keys) send(key);
  now += 5 * MINUTE;
  expect(send('key 39')).toBe(41);
  now += MINUTE;
  window.find('none', now);
  expect((await keysOnDisk()).length).toBeGreaterThan(20);
  for (let n = 0; n < 40; n += 1) window.find('none', now);
  expect(await keysOnDisk()).toHaveLength(1);
  expect(send('key 39')).toBe(41);
});

test('no call looks through all keys', () => {
  const looks = (['values', 'entries', 'forEach', Symbol.iterator] as const).map((name) =>
    vi.spyOn(Map.prototype, name as 'values'),
  );
  const iterators = vi.spyOn(DigestMap.prototype, 'digests');
  const deletions = vi.spyOn(queueDisk, 'deleteDeduplication');
  let highest = 0;
  for (let n = 0; n < 3_000; n += 1) {
    now += 300;
    if (n === 2_000) now += 60 * MINUTE;
    deletions.mockClear();
    send(`key ${n}`);
    highest = Math.max(highest, deletions.mock.calls.length);
  }
  expect(looks.flatMap(({ mock }) => mock.calls)).toEqual([]);
  // Keys are removed along one iterator for each 30 s.
  expect(iterators.mock.calls.length).toBeLessThan(40);
  expect(highest).toBe(2);
});
