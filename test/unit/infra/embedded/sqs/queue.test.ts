import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../../infra/embedded/clock.ts';
import type { Disk } from '../../../../../infra/embedded/disk/disk.ts';
import { openDisk } from '../../../../../infra/embedded/disk/open-disk.ts';
import { BodyBudget } from '../../../../../infra/embedded/sqs/body-budget.ts';
import { queueDefaults } from '../../../../../infra/embedded/sqs/queue-spec.ts';
import { Queue } from '../../../../../infra/embedded/sqs/queue.ts';
import { noFaults } from '../../../../../infra/embedded/faults.ts';

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
  for (const message of queue.take(3, 30)) queue.remove(message);
  const remaining = messages.flatMap((message) =>
    Object.values(message).filter((value) => typeof value === 'object' && value !== message.facts),
  );
  expect(remaining).toEqual([]);
  expect(messages.map(({ body }) => body)).toEqual([undefined, undefined, undefined]);
  expect(queue.counts).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
});
