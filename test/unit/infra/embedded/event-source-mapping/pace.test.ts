import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callForOne } from '../../../contract/sqs/targets.ts';
import { closeAll, functionRole, gate, mapped } from './mapped-queue.ts';
import { bodiesOf, isEmpty, numbers, until } from './wait.ts';

afterEach(closeAll);

/** Time passes when a test says so. */
function freezeTime(): void {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

/** `until` would let time pass. */
const settled = async () => {
  for (let round = 0; round < 200; round += 1) await new Promise(setImmediate);
};

describe('the pace', () => {
  test('keeps the maximum concurrency going with full batches while work waits', async () => {
    const first = gate();
    const queue = await mapped({
      properties: { ScalingConfig: { MaximumConcurrency: 3 } },
      worker: () => first.opened,
    });
    await queue.send(...numbers(100));
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(3);
    });
    expect(await queue.counts()).toEqual({ visible: 70, inFlight: 30 });
    first.open();
    await isEmpty(queue);
    expect(queue.maxConcurrent).toBe(3);
    expect(queue.invocations.map(({ bodies }) => bodies.length)).toEqual(Array.from({ length: 10 }, () => 10));
  });

  test('of an idle queue waits for nothing: the receive comes before the write of the call that sends', async () => {
    const queue = await mapped({ worker: () => undefined });
    queue.start();
    await new Promise(setImmediate);
    const sent = queue.send('1');
    await new Promise(process.nextTick);
    expect(queue.requests.map(({ operation }) => operation)).toEqual(['SendMessageBatch', 'ReceiveMessage']);
    await sent;
    await isEmpty(queue);
  });

  test('starts immediately when a message comes to an idle queue, and calls SQS only then', async () => {
    const queue = await mapped({ worker: () => undefined });
    queue.start();
    await new Promise(setImmediate);
    queue.clock.advance(3_600_000);
    expect(queue.requests).toEqual([]);
    await queue.send('1');
    await isEmpty(queue);
    await queue.stop();
    const ofMapping = queue.requests.filter(({ role }) => role === functionRole);
    expect(ofMapping.map(({ operation, entries }) => [operation, entries])).toEqual([
      ['ReceiveMessage', 1],
      ['DeleteMessageBatch', 1],
    ]);
  });

  test('gathers what comes while a new invocation runs', async () => {
    freezeTime();
    const first = gate();
    const queue = await mapped({
      worker: (event) => (event.Records[0]?.body === 'first' ? first.opened : undefined),
    });
    queue.start();
    await queue.send('first');
    await until(() => {
      expect(queue.invocations).toHaveLength(1);
    });
    for (const body of numbers(10)) void queue.send(body);
    await until(() => {
      expect(queue.invocations.flatMap(({ bodies }) => bodies)).toHaveLength(11);
    });
    expect(queue.invocations).toHaveLength(2);
    first.open();
  });

  test('gathers nothing while an invocation runs that takes long', async () => {
    freezeTime();
    const first = gate();
    const queue = await mapped({ worker: () => first.opened });
    queue.start();
    for (const count of [1, 2]) {
      await queue.send('one');
      // `until` would let time pass.
      for (let round = 0; round < 1_000 && queue.invocations.length < count; round += 1)
        await new Promise(setImmediate);
      expect(queue.invocations).toHaveLength(count);
      vi.advanceTimersByTime(11);
    }
    first.open();
  });

  test('a receive that is refused is tried again after a pause', async () => {
    let isRefused = true;
    const queue = await mapped({
      dispatch: (dispatch) => (call) => (isRefused ? Promise.reject(new Error('AccessDenied')) : dispatch(call)),
      worker: () => undefined,
    });
    await queue.send('1');
    queue.start();
    await until(() => {
      expect(queue.failures).toHaveLength(1);
    });
    isRefused = false;
    queue.clock.advance(1000);
    await isEmpty(queue);
  });
});

describe('while the thread works all the time', () => {
  const threadLoad = { isFull: () => true, isBusy: () => true };

  /** A queue with a batch that runs. */
  async function loaded(spec: { fifo?: boolean; deduplicationScope?: 'messageGroup' } = {}) {
    freezeTime();
    const first = gate();
    const queue = await mapped({
      queue: spec,
      threadLoad,
      properties: { ScalingConfig: { MaximumConcurrency: 5 } },
      worker: (event) => (event.Records[0]?.body === 'first' ? first.opened : undefined),
    });
    onTestFinished(first.open);
    queue.start();
    await (spec.fifo ? queue.sendTo('first', 'first') : queue.send('first'));
    vi.advanceTimersByTime(15);
    await settled();
    expect(queue.invocations).toHaveLength(1);
    return queue;
  }

  test('a batch gathers messages for 100 ms', async () => {
    const queue = await loaded();
    for (const body of numbers(8)) await queue.send(body);
    vi.advanceTimersByTime(99);
    await settled();
    expect(queue.invocations).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await settled();
    expect(bodiesOf(queue)).toEqual([['first'], numbers(8)]);
  });

  test('a batch begins at once when fifty messages wait', async () => {
    const queue = await loaded();
    await queue.send(...numbers(40));
    await settled();
    expect(queue.invocations).toHaveLength(1);
    await queue.send(...numbers(10));
    await settled();
    expect(queue.invocations.length).toBeGreaterThan(1);
  });

  test('a batch of groups begins at once when eight batches wait, so that few groups fill it', async () => {
    const queue = await loaded({ fifo: true, deduplicationScope: 'messageGroup' });
    for (const group of numbers(39)) await queue.sendTo(group, ...numbers(10));
    await settled();
    expect(queue.invocations).toHaveLength(1);
    await queue.sendTo('last', ...numbers(10));
    await settled();
    expect(queue.invocations.length).toBeGreaterThan(1);
  });

  test('messages that a gathered batch leaves over gather again', async () => {
    const queue = await loaded();
    await queue.send(...numbers(12));
    vi.advanceTimersByTime(100);
    await settled();
    expect(bodiesOf(queue).map(({ length }) => length)).toEqual([1, 10]);
    vi.advanceTimersByTime(100);
    await settled();
    expect(bodiesOf(queue).map(({ length }) => length)).toEqual([1, 10, 2]);
  });

  test('each batch gathers for itself, also right after a full one', async () => {
    const queue = await loaded();
    await queue.send('early');
    vi.advanceTimersByTime(60);
    await queue.send(...numbers(60));
    await settled();
    const counts = () => bodiesOf(queue).map(({ length }) => length);
    const before = counts();
    vi.advanceTimersByTime(60);
    await settled();
    expect(counts()).toEqual(before);
  });
});

describe('while the thread is busy', () => {
  const threadLoad = { isFull: () => false, isBusy: () => true };

  test('a batch gathers messages for 15 ms, also when none runs', async () => {
    freezeTime();
    const queue = await mapped({ threadLoad, worker: () => undefined });
    queue.start();
    await queue.send('1');
    vi.advanceTimersByTime(14);
    await queue.send('2');
    await settled();
    expect(bodiesOf(queue)).toEqual([]);
    vi.advanceTimersByTime(1);
    await settled();
    expect(bodiesOf(queue)).toEqual([['1', '2']]);
  });

  test('a batch begins at once when fifty messages wait', async () => {
    freezeTime();
    const queue = await mapped({ threadLoad, worker: () => undefined });
    queue.start();
    await queue.send(...numbers(50));
    await settled();
    expect(bodiesOf(queue).length).toBeGreaterThan(0);
  });
});

describe('the groups of a FIFO queue', () => {
  test('are each in one invocation at a time and in order, whatever fails', async () => {
    const busy = new Set<string>();
    const done: Record<string, number[]> = { a: [], b: [], c: [], d: [] };
    let count = 0;
    const queue = await mapped({
      queue: { fifo: true, deduplicationScope: 'messageGroup' },
      properties: { ScalingConfig: { MaximumConcurrency: 4 } },
      async worker(event, { call }) {
        const groups = new Set(event.Records.map(({ attributes }) => attributes.MessageGroupId ?? ''));
        for (const group of groups) {
          expect(busy).not.toContain(group);
          busy.add(group);
        }
        await new Promise(setImmediate);
        const failed: { itemIdentifier: string }[] = [];
        for (const group of groups) {
          let isFailed = false;
          for (const record of event.Records.filter(({ attributes }) => attributes.MessageGroupId === group)) {
            isFailed ||= (count += 1) % 7 === 0;
            if (!isFailed) done[group]?.push(Number(record.body));
            else failed.push({ itemIdentifier: record.messageId });
          }
          busy.delete(group);
        }
        for (const { itemIdentifier } of failed) {
          const ReceiptHandle = event.Records.find(({ messageId }) => messageId === itemIdentifier)?.receiptHandle;
          await callForOne(call, 'ChangeMessageVisibilityBatch', { ReceiptHandle, VisibilityTimeout: 0 });
        }
        return { batchItemFailures: failed };
      },
    });
    queue.start();
    const sending = Object.keys(done).map((group) => queue.sendTo(group, ...numbers(60)));
    await Promise.all(sending);
    await isEmpty(queue);
    for (const group of Object.values(done)) expect(group).toEqual(numbers(60).map(Number));
    expect(queue.failures).toEqual([]);
  });

  test('share a batch when none of them fills it', async () => {
    const queue = await mapped({ queue: { fifo: true }, worker: () => undefined });
    await queue.sendTo('a', 'a1', 'a2');
    await queue.sendTo('b', 'b1');
    queue.start();
    await isEmpty(queue);
    expect(bodiesOf(queue)).toEqual([['a1', 'a2', 'b1']]);
  });

  test('fill batches of their own when they can', async () => {
    const queue = await mapped({ queue: { fifo: true }, worker: () => undefined });
    for (const group of ['a', 'b', 'c']) await queue.sendTo(group, ...numbers(20).map((n) => `${group}${n}`));
    queue.start();
    await isEmpty(queue);
    expect(queue.invocations).toHaveLength(6);
    for (const { bodies } of queue.invocations) expect(new Set(bodies.map((body) => body.charAt(0))).size).toBe(1);
  });
});
