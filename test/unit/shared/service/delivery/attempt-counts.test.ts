import { beforeEach, expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import {
  createAttemptCounts,
  WRITE_INTERVAL_MS,
} from '../../../../../shared/service/delivery/attempt-counts.ts';

const [ann, bob] = [UserId.parse('u_ann'), UserId.parse('u_bob')];
const MINUTE = Date.parse('2031-01-01T00:07:00Z');

let now: number;
let due: { work: () => void; ms: number }[];
let written: unknown[];
let lost: unknown[];
let isBroken: boolean;
beforeEach(() => {
  [now, due, written, lost, isBroken] = [MINUTE + 1_000, [], [], [], false];
});

const create = () =>
  createAttemptCounts({
    activity: {
      addAttempts: async (ownerId, counts, at) => {
        if (isBroken) throw new Error('no table');
        written.push([ownerId, counts, at]);
      },
    },
    now: () => now,
    later: (work, ms) => due.push({ work, ms }),
    onLost: (error) => lost.push(error),
  });

test('attempts of a batch are one write per owner and minute', async () => {
  const counts = create();
  for (const isDelivered of [true, true, false]) counts.count(ann, isDelivered);
  counts.count(bob, true);
  await counts.settle();
  expect(written).toEqual([
    [ann, { delivered: 2, failed: 1 }, MINUTE],
    [bob, { delivered: 1, failed: 0 }, MINUTE],
  ]);
  await counts.settle();
  expect(written).toHaveLength(2);
});

test('batches that follow soon share a write, which a timer makes', async () => {
  const counts = create();
  counts.count(ann, true);
  await counts.settle();
  for (let batch = 0; batch < 20; batch += 1) {
    now += 100;
    counts.count(ann, true);
    await counts.settle();
  }
  expect(written).toHaveLength(1);
  expect(due.map(({ ms }) => ms)).toEqual([WRITE_INTERVAL_MS - 100]);
  due[0]?.work();
  expect(written[1]).toEqual([ann, { delivered: 20, failed: 0 }, MINUTE]);
});

test('a clock that was set back does not hold counts up', async () => {
  const counts = create();
  counts.count(ann, true);
  await counts.settle();
  now -= 3_600_000;
  counts.count(ann, true);
  await counts.settle();
  expect(written).toHaveLength(2);
});

test('a failed write is reported and holds nothing up', async () => {
  isBroken = true;
  const counts = create();
  counts.count(ann, true);
  await counts.settle();
  expect(lost).toHaveLength(1);
});
