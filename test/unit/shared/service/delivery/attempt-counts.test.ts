import { beforeEach, expect, test } from 'vitest';
import { EventId } from '../../../../../shared/domain/event/event-id.ts';
import { SourceId, UserId, WebhookId } from '../../../../../shared/domain/id.ts';
import { latencyCount } from '../../../../../shared/domain/metrics/tally.ts';
import {
  type AttemptCounts,
  countedAttempt,
  createAttemptCounts,
  WRITE_INTERVAL_MS,
} from '../../../../../shared/service/delivery/attempt-counts.ts';

const [ann, bob] = [UserId.parse('u_ann'), UserId.parse('u_bob')];
const MINUTE = Date.parse('2031-01-01T00:07:00Z');

let now: number;
let due: { work: () => void; ms: number }[];
let written: unknown[];
let lost: unknown[];
let measured: unknown[];
let settled: number;
let isBroken: boolean;
beforeEach(() => {
  [now, due, written, lost, measured, settled, isBroken] = [MINUTE + 1_000, [], [], [], [], 0, false];
});

const create = () =>
  createAttemptCounts({
    activity: {
      addAttempts: async (ownerId, counts, at) => {
        if (isBroken) throw new Error('no table');
        written.push([ownerId, counts, at]);
      },
    },
    deliveryBytes: { add: async () => undefined },
    metrics: {
      count: (subject, tally) => void measured.push([subject, Object.fromEntries(tally)]),
      settle: async () => void (settled += 1),
    },
    now: () => now,
    later: (work, ms) => due.push({ work, ms }),
    onLost: (error) => lost.push(error),
  });

const message = {
  emitterId: SourceId.parse('dc_1'),
  eventId: EventId.parse(`${MINUTE - 5_000}-0`),
  indexedAt: MINUTE,
};
const listenerId = WebhookId.parse('wh_1');
const failure = { outcome: 'rejected', status: 503, at: MINUTE + 1_000, ms: 20 } as const;
const success = { outcome: 'delivered', status: 204, at: MINUTE + 1_000, ms: 20 } as const;

const attempt = (counts: AttemptCounts, ownerId: UserId, isDelivered = true) =>
  counts.count(countedAttempt({ ownerId, listenerId }, message, isDelivered ? success : failure));

test('an attempt counts for its source and its webhook, a success with its time since storing', async () => {
  const counts = create();
  attempt(counts, ann);
  attempt(counts, ann, false);
  const latency = latencyCount(1_020);
  expect(measured).toEqual([
    ['dc_1', { d2: 1, [latency]: 1 }],
    ['wh_1', { d2: 1, [latency]: 1 }],
    ['dc_1', { f5: 1 }],
    ['wh_1', { f5: 1 }],
  ]);
  await counts.settle();
  expect(settled).toBe(1);
});

test('an event of an earlier release, without its time of storing, counts from its own time', () => {
  const { latencyMs } = countedAttempt({ ownerId: ann, listenerId }, { ...message, indexedAt: undefined }, success);
  expect(latencyMs).toBe(6_020);
});

test('attempts of a batch are one write per owner and minute', async () => {
  const counts = create();
  for (const isDelivered of [true, true, false]) attempt(counts, ann, isDelivered);
  attempt(counts, bob);
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
  attempt(counts, ann);
  await counts.settle();
  for (let batch = 0; batch < 20; batch += 1) {
    now += 100;
    attempt(counts, ann);
    await counts.settle();
  }
  expect(written).toHaveLength(1);
  expect(due.map(({ ms }) => ms)).toEqual([WRITE_INTERVAL_MS - 100]);
  due[0]?.work();
  expect(written[1]).toEqual([ann, { delivered: 20, failed: 0 }, MINUTE]);
});

test('a clock that was set back does not hold counts up', async () => {
  const counts = create();
  attempt(counts, ann);
  await counts.settle();
  now -= 3_600_000;
  attempt(counts, ann);
  await counts.settle();
  expect(written).toHaveLength(2);
});

test('a failed write is reported and holds nothing up', async () => {
  isBroken = true;
  const counts = create();
  attempt(counts, ann);
  await counts.settle();
  expect(lost).toHaveLength(1);
});
