import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_MESSAGES } from '../../../../../infra/embedded/event-source-mapping/growing-batches.ts';
import { until } from '../../../../support/until.ts';
import { closeAll, type MappedQueue, mapped } from './mapped-queue.ts';
import { bodiesOf, failing, numbers } from './wait.ts';

/** Time passes when a worker says so. */
let elapsedMs = 0;
beforeEach(() => {
  elapsedMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => elapsedMs);
});
afterEach(async () => {
  await closeAll();
  vi.restoreAllMocks();
});

const fifo = { fifo: true, deduplicationScope: 'messageGroup' } as const;
const sizes = (queue: MappedQueue) => bodiesOf(queue).map(({ length }) => length);
const emptied = (queue: MappedQueue) =>
  until('the queue is empty', () => {
    const { visible, inFlight } = queue.counts();
    return visible + inFlight === 0;
  });
const groupsOf = (queue: MappedQueue) =>
  queue.invocations.map(({ event }) => {
    const counts = new Map<string, number>();
    for (const { attributes } of event.Records) {
      const group = attributes.MessageGroupId ?? '';
      counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    return counts;
  });

describe('batches', () => {
  test.each([
    ['FIFO', fifo],
    ['standard', {}],
  ])('of a %s queue double while they end within a second, up to a limit', async (_, spec) => {
    const queue = await mapped({
      queue: spec,
      properties: { ScalingConfig: { MaximumConcurrency: 2 } },
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: async () => {
        elapsedMs += 900;
        await new Promise(setImmediate);
      },
    });
    await (spec === fifo ? queue.sendTo('a', ...numbers(250)) : queue.send(...numbers(250)));
    queue.start();
    await emptied(queue);
    expect(Math.max(...sizes(queue))).toBe(MAX_MESSAGES);
    if (spec === fifo) {
      expect(sizes(queue).slice(0, 4)).toEqual([10, 20, 40, MAX_MESSAGES]);
      expect(bodiesOf(queue).flat()).toEqual(numbers(250));
    }
    const deleted = queue.requests.filter(({ operation }) => operation === 'DeleteMessageBatch');
    expect(Math.max(...deleted.map(({ entries }) => entries))).toBe(10);
  });

  test('have ten messages again after one that took longer', async () => {
    const queue = await mapped({
      queue: fifo,
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: ({ Records }) => {
        if (Records.some(({ body }) => body === '35')) elapsedMs += 1_001;
      },
    });
    await queue.sendTo('a', ...numbers(160));
    queue.start();
    await emptied(queue);
    expect(sizes(queue)).toEqual([10, 20, 40, 10, 20, 40, 20]);
  });

  test('have ten messages again after one with a failed message', async () => {
    let isBroken = true;
    const queue = await mapped({
      queue: { ...fifo, visibilityTimeout: 30 },
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: (event) => failing(event, (body) => isBroken && Number(body) >= 29),
    });
    await queue.sendTo('a', ...numbers(60));
    queue.start();
    await until('a message has failed', () => queue.counts().inFlight === 1);
    isBroken = false;
    queue.clock.advance(30_000);
    await emptied(queue);
    expect(sizes(queue)).toEqual([10, 20, 10, 20, 1]);
    // Order within the group stays.
    expect(bodiesOf(queue).flat().map(Number)).toEqual([
      ...numbers(30).map(Number),
      ...numbers(60).slice(29).map(Number),
    ]);
  });

  test('have ten messages again after one whose function failed', async () => {
    let isBroken = false;
    const queue = await mapped({
      queue: fifo,
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: ({ Records }) => {
        if (isBroken) return;
        isBroken = Records.some(({ body }) => body === '15');
        if (isBroken) throw new Error('broken');
      },
    });
    await queue.sendTo('a', ...numbers(50));
    queue.start();
    await until('a batch has failed', () => queue.counts().inFlight === 20);
    queue.clock.advance(30_000);
    await emptied(queue);
    expect(sizes(queue)).toEqual([10, 20, 10, 20, 10]);
  });

  test('have at most ten groups', async () => {
    const queue = await mapped({
      queue: fifo,
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: () => undefined,
    });
    for (let round = 0; round < 3; round += 1) {
      for (const group of numbers(25)) await queue.sendTo(group, ...numbers(4));
      queue.start();
      await emptied(queue);
      await queue.stop();
    }
    expect(Math.max(...sizes(queue))).toBe(40);
    expect(Math.max(...groupsOf(queue).map(({ size }) => size))).toBe(10);
  });

  test('take more than ten messages only up to 1 MB of bodies', async () => {
    const queue = await mapped({
      queue: fifo,
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: () => undefined,
    });
    await queue.sendTo('a', ...numbers(60).map((n) => n.padEnd(60_000, '.')));
    queue.start();
    await emptied(queue);
    expect(sizes(queue)).toEqual([10, 17, 17, 16]);
  });

  test('have at most ten messages of a slow group beside a quick one', async () => {
    const queue = await mapped({
      queue: fifo,
      threadLoad: { isFull: () => false, isBusy: () => false },
      worker: ({ Records }) => {
        if (Records.some(({ attributes }) => attributes.MessageGroupId === 'slow')) elapsedMs += 5_000;
      },
    });
    await queue.sendTo('quick', ...numbers(200));
    queue.start();
    await emptied(queue);
    await queue.stop();
    await queue.sendTo('quick', ...numbers(200));
    await queue.sendTo('slow', ...numbers(100));
    queue.start();
    await emptied(queue);
    const counts = groupsOf(queue);
    expect(Math.max(...counts.map((each) => each.get('quick') ?? 0))).toBe(MAX_MESSAGES);
    expect(Math.max(...counts.map((each) => each.get('slow') ?? 0))).toBe(10);
  });

  test('stay at ten unless the mapping may have larger ones', async () => {
    const queue = await mapped({ queue: fifo, worker: () => undefined });
    await queue.sendTo('a', ...numbers(100));
    queue.start();
    await emptied(queue);
    expect(Math.max(...sizes(queue))).toBe(10);
  });
});

test('a caller that describes growth itself, as an SDK client could, gets ten messages', async () => {
  const queue = await mapped({ worker: () => undefined });
  await queue.send(...numbers(30));
  const Growth = { messages: 50, groups: 10, bytes: 1 << 20, shares: new Map([['', 50]]) };
  const { Messages } = await queue.call('ReceiveMessage', { MaxNumberOfMessages: 10, Growth });
  expect(Messages).toHaveLength(10);
});
