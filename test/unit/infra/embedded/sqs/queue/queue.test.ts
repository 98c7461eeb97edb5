import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../../../infra/embedded/clock.ts';
import type { Disk } from '../../../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../../../infra/embedded/disk/open-disk.ts';
import { BodyBudget } from '../../../../../../infra/embedded/sqs/queue/body-budget.ts';
import { queueDefaults, type QueueSpec } from '../../../../../../infra/embedded/sqs/queue-spec.ts';
import { Queue } from '../../../../../../infra/embedded/sqs/queue/queue.ts';
import { BatchGrowth, ReceiveRoom } from '../../../../../../infra/embedded/sqs/queue/receive-room.ts';
import { noFaults } from '../../../../../../infra/embedded/faults.ts';

let path: string;
let disk: Disk;
beforeEach(async () => {
  path = mkdtempSync(join(tmpdir(), 'queue-test-'));
  disk = await openDisk(path, { sync: 'interval' });
});
afterEach(async () => {
  await disk.close();
  rmSync(path, { recursive: true });
});

test.each([true, false])('a message that has left its queue (FIFO: %s) keeps no other in memory', (fifo) => {
  const clock = new FakeClock();
  const queue = new Queue({
    spec: { ...queueDefaults, name: 'queue', fifo },
    arn: 'arn',
    disk,
    clock,
    faults: noFaults,
    bodies: new BodyBudget(),
    queueByArn: () => undefined,
  });
  const facts = { size: 4, sentAt: clock.now(), senderId: 'sender', group: 'group' };
  const messages = ['1', '2', '3'].map((id) => queue.add({ ...facts, id }, 'body', 0));
  for (const message of queue.take(new ReceiveRoom(3), 30)) queue.remove(message);
  const remaining = messages.flatMap((message) =>
    Object.values(message).filter((value) => typeof value === 'object' && value !== message.facts),
  );
  expect(remaining).toEqual([]);
  expect(messages.map(({ body }) => body)).toEqual([undefined, undefined, undefined]);
  expect(queue.counts).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});

test('messages that become dead letters take no room of a receive', () => {
  const clock = new FakeClock();
  const queueOf = (name: string, more: Partial<QueueSpec>): Queue =>
    new Queue({
      spec: { ...queueDefaults, name, ...more },
      arn: name,
      disk,
      clock,
      faults: noFaults,
      bodies: new BodyBudget(),
      queueByArn: () => letters,
    });
  const letters = queueOf('letters', {});
  const queue = queueOf('queue', { redrivePolicy: { deadLetterTargetArn: 'letters', maxReceiveCount: 1 } });
  const facts = { size: 4, sentAt: clock.now(), senderId: 'sender' };
  const add = (count: number) => {
    for (let n = 0; n < count; n += 1) queue.add({ ...facts, id: String(n) }, 'body', 0);
  };
  add(5);
  for (const message of queue.take(new ReceiveRoom(5), 30)) queue.changeVisibility(message, 0);
  add(15);
  const growth = new BatchGrowth({ messages: 12, groups: 10, bytes: 1_000, shares: new Map([['', 12]]) });
  expect(queue.take(new ReceiveRoom(10, growth), 30)).toHaveLength(12);
  expect(queue.counts).toEqual({ visible: 3, inFlight: 12, delayed: 0 });
  expect(letters.counts.visible).toBe(5);
});

test('a standard queue hands out a message of a quiet group next, beside many of a busy one and some without a group', () => {
  const clock = new FakeClock();
  const queue = new Queue({
    spec: { ...queueDefaults, name: 'queue' },
    arn: 'arn',
    disk,
    clock,
    faults: noFaults,
    bodies: new BodyBudget(),
    queueByArn: () => undefined,
  });
  const send = (id: string, group?: string) =>
    queue.add({ id, size: 4, sentAt: clock.now(), senderId: 'sender', group }, 'body', 0);
  for (let n = 0; n < 20; n += 1) send(`busy ${n}`, 'busy');
  for (let n = 0; n < 20; n += 1) send(`old ${n}`);
  send('quiet', 'quiet');
  const taken = queue.take(new ReceiveRoom(4), 30).map(({ facts }) => facts.id);
  expect(taken).toEqual(['busy 0', 'old 0', 'quiet', 'busy 1']);
});

test.each([true, false])('the last messages that fit are kept, in flight or not (FIFO: %s)', async (fifo) => {
  const bodies = new BodyBudget();
  const open = () =>
    new Queue({
      spec: { ...queueDefaults, name: 'queue', fifo, keptBytes: 100 },
      arn: 'arn',
      disk,
      clock,
      faults: noFaults,
      bodies,
      queueByArn: () => undefined,
    });
  const clock = new FakeClock();
  const queue = open();
  const add = (id: number, size: number) =>
    queue.add({ size, sentAt: clock.now(), senderId: 'sender', group: `${id}`, id: `${id}` }, 'x'.repeat(size), 0);
  for (let id = 0; id < 10; id += 1) add(id, 30);
  expect(queue.take(new ReceiveRoom(10), 30).map(({ facts }) => facts.id)).toEqual(['7', '8', '9']);
  add(10, 60);
  expect(queue.counts).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
  await disk.commit();
  const again = open();
  await again.load({ releaseUnanswered: true });
  expect(again.take(new ReceiveRoom(10), 30).map(({ facts }) => facts.id)).toEqual(['9', '10']);
});
