import { hash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Disk } from '../../../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../../../infra/embedded/disk/open-disk.ts';
import { DeduplicationWindow } from '../../../../../../infra/embedded/sqs/queue/deduplication-window.ts';
import { MessageList } from '../../../../../../infra/embedded/sqs/queue/message-list.ts';
import { QueueDisk } from '../../../../../../infra/embedded/sqs/queue/queue-disk.ts';

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
  queueDisk = new QueueDisk(disk, 'queue', new MessageList());
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

const rowsOnDisk = async () => {
  await disk.commit();
  return (await queueDisk.load(() => true)).deduplications;
};

test('a duplicate is answered with the number and the id of the first', () => {
  send('other');
  send('key');
  now += 5 * MINUTE - 1;
  expect(window.find('key', now)).toEqual({ number: 2, id: 'id-2' });
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

test('keys of one millisecond share rows, and all of them outlive a restart, also those that came after a commit', async () => {
  for (let n = 1; n <= 40; n += 1) {
    send(`key ${n}`);
    if (n % 7 === 0) await disk.commit();
  }
  now += 1;
  send('later');
  const rows = await rowsOnDisk();
  expect(rows.map((row) => row.digests().length)).toEqual([32, 8, 1]);
  await restart();
  for (let n = 1; n <= 40; n += 1) expect(window.find(`key ${n}`, now)).toEqual({ number: n, id: `id-${n}` });
  expect(send('later')).toBe(41);
  expect(send('new')).toBe(42);
});

test('a key shares no row with one of another time, although a clock that was set back shows the same one', () => {
  send('key');
  now -= 10_000;
  window.find('none', now);
  now = START;
  send('again');
  now += 5 * MINUTE - 1;
  expect(send('again')).toBe(2);
});

test('after a restart, a key of a clock that was set back counts for five minutes from its own time', async () => {
  send('key');
  now -= 60 * MINUTE;
  send('later');
  now += 4 * MINUTE;
  await restart();
  expect(send('later')).toBe(2);
  now += MINUTE;
  expect(window.find('later', now)).toBeUndefined();
});

test('a key still counts after an update from the version that had a row for each key', async () => {
  const digest = hash('sha256', 'key', 'buffer').subarray(0, 16).toString('base64url');
  disk.put(`q/queue/d/${digest}`, `${START + 4 * MINUTE} 7 id-7`);
  await restart();
  await restart();
  expect(window.find('key', now)).toEqual({ number: 7, id: 'id-7' });
  now += 4 * MINUTE;
  expect(window.find('key', now)).toBeUndefined();
  now += MINUTE;
  window.find('key', now);
  await disk.commit();
  const left: string[] = [];
  for await (const key of disk.keys('q/queue/d/')) left.push(key);
  expect(left).toEqual([]);
});

test('expired keys leave the disk, a few with each call, and none that was used again', async () => {
  for (let n = 0; n < 40; n += 1) {
    send(`key ${n}`);
    now += 1;
  }
  now += 5 * MINUTE;
  expect(send('key 39')).toBe(41);
  now += MINUTE;
  window.find('none', now);
  expect((await rowsOnDisk()).length).toBeGreaterThan(20);
  for (let n = 0; n < 40; n += 1) window.find('none', now);
  expect(await rowsOnDisk()).toHaveLength(1);
  expect(send('key 39')).toBe(41);
});

test('no call looks through all keys', () => {
  const looks = (['values', 'entries', 'forEach', Symbol.iterator] as const).map((name) =>
    vi.spyOn(Map.prototype, name as 'values'),
  );
  const deletions = vi.spyOn(queueDisk, 'deleteDeduplications');
  let highest = 0;
  for (let n = 0; n < 3_000; n += 1) {
    now += 300;
    if (n === 2_000) now += 60 * MINUTE;
    deletions.mockClear();
    send(`key ${n}`);
    highest = Math.max(highest, deletions.mock.calls.length);
  }
  expect(looks.flatMap(({ mock }) => mock.calls)).toEqual([]);
  expect(highest).toBe(2);
});
