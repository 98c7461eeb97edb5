import type { SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { roughWeather } from '../../../../infra/embedded/weather.ts';
import { functionRole, gate, type MappedQueue, mappedQueue } from './mapped-queue.ts';

const opened: MappedQueue[] = [];
afterEach(async () => {
  for (const queue of opened.splice(0)) await queue.close();
});

async function mapped(given: Parameters<typeof mappedQueue>[0]): Promise<MappedQueue> {
  const queue = await mappedQueue(given);
  opened.push(queue);
  return queue;
}

const until = (condition: () => unknown) => vi.waitFor(condition, { timeout: 10_000, interval: 5 });
const isEmpty = (queue: MappedQueue) =>
  until(async () => {
    expect(await queue.counts()).toEqual({ visible: 0, inFlight: 0 });
  });
const bodiesOf = (queue: MappedQueue) => queue.invocations.map(({ bodies }) => bodies);
const failing = (event: SQSEvent, isFailing: (body: string) => boolean) => ({
  batchItemFailures: event.Records.filter(({ body }) => isFailing(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describe('the event', () => {
  test("is SQS's, whole", async () => {
    const queue = await mapped({ worker: () => undefined });
    const { MessageId } = await queue.call('SendMessage', {
      MessageBody: 'body',
      MessageGroupId: 'fair',
      MessageAttributes: {
        text: { DataType: 'String', StringValue: 'value' },
        bytes: { DataType: 'Binary', BinaryValue: Uint8Array.of(1, 2) },
      },
    });
    queue.clock.advance(5);
    queue.start();
    await isEmpty(queue);
    const [{ event } = expect.fail('nothing was invoked')] = queue.invocations;
    const sentAt = queue.clock.now() - 5;
    expect(JSON.parse(JSON.stringify(event))).toEqual({
      Records: [
        {
          messageId: MessageId,
          receiptHandle: expect.stringMatching(/^AQEB/) as string,
          body: 'body',
          attributes: {
            SenderId: 'Sender',
            SentTimestamp: String(sentAt),
            ApproximateReceiveCount: '1',
            ApproximateFirstReceiveTimestamp: String(sentAt + 5),
            MessageGroupId: 'fair',
          },
          messageAttributes: {
            text: { stringValue: 'value', stringListValues: [], binaryListValues: [], dataType: 'String' },
            bytes: { binaryValue: 'AQI=', stringListValues: [], binaryListValues: [], dataType: 'Binary' },
          },
          md5OfBody: '841a2d689ad86bd1611447453c22c6fc',
          eventSource: 'aws:sqs',
          eventSourceARN: queue.arn,
          awsRegion: 'us-east-1',
        },
      ],
    });
  });

  test('of a FIFO queue also has sequence number, group and deduplication id', async () => {
    const queue = await mapped({ queue: { fifo: true }, worker: () => undefined });
    queue.start();
    await queue.sendTo('a', 'body');
    await isEmpty(queue);
    expect(queue.invocations[0]?.event.Records[0]?.attributes).toMatchObject({
      SequenceNumber: expect.stringMatching(/^\d{20}$/) as string,
      MessageGroupId: 'a',
      MessageDeduplicationId: '1',
    });
  });

  test('stays below 6 MB, and what did not fit comes in another', { timeout: 60_000 }, async () => {
    const queue = await mapped({ worker: () => undefined });
    const body = (n: number) => String(n) + '"'.repeat(1_000_000);
    for (let n = 0; n < 10; n += 1) await queue.send(body(n));
    queue.start();
    await isEmpty(queue);
    for (const { event } of queue.invocations) {
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(6 << 20);
    }
    const received = queue.invocations.flatMap(({ bodies }) => bodies.map((text) => text.charAt(0)));
    expect(received.sort()).toEqual(numbers(10));
    expect(Math.max(...queue.invocations.map(({ bodies }) => bodies.length))).toBeGreaterThan(1);
  });
});

describe('the answer', () => {
  test.each([[undefined], [null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }]])(
    '%j is success: everything is deleted',
    async (answer) => {
      const queue = await mapped({ worker: () => answer });
      await queue.send('1', '2');
      queue.start();
      await isEmpty(queue);
      expect(bodiesOf(queue)).toEqual([['1', '2']]);
    },
  );

  test('names failures: they come again after their visibility timeout, the rest is deleted', async () => {
    let isBroken = true;
    const queue = await mapped({ worker: (event) => failing(event, (body) => isBroken && body === '2') });
    await queue.send('1', '2', '3');
    queue.start();
    await until(async () => {
      expect(await queue.counts()).toEqual({ visible: 0, inFlight: 1 });
    });
    isBroken = false;
    queue.clock.advance(29_999);
    expect(queue.invocations).toHaveLength(1);
    queue.clock.advance(1);
    await isEmpty(queue);
    expect(bodiesOf(queue)).toEqual([['1', '2', '3'], ['2']]);
    expect(queue.invocations[1]?.event.Records[0]?.attributes.ApproximateReceiveCount).toBe('2');
  });

  test.each([
    ['no report', () => 'done'],
    ['a list', () => []],
    ['a failure without name', () => ({ batchItemFailures: [{}] })],
    ['an empty name', () => ({ batchItemFailures: [{ itemIdentifier: '' }] })],
    ['a null name', () => ({ batchItemFailures: [{ itemIdentifier: null }] })],
    ['a wrong key', (event: SQSEvent) => ({ batchItemFailures: [{ id: event.Records[0]?.messageId }] })],
    [
      'a message that is not of the batch',
      () => ({ batchItemFailures: [{ itemIdentifier: 'somebody else' }] }),
    ],
    ['an error', () => Promise.reject(new Error('broken'))],
  ])('%s fails the whole batch', async (_title, answer) => {
    let isBroken = true;
    const queue = await mapped({ worker: (event) => (isBroken ? answer(event) : undefined) });
    await queue.send('1', '2');
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(1);
    });
    await queue.stop();
    expect(await queue.counts()).toEqual({ visible: 0, inFlight: 2 });
    isBroken = false;
    queue.start();
    queue.clock.advance(30_000);
    await isEmpty(queue);
    expect(bodiesOf(queue)).toEqual([
      ['1', '2'],
      ['1', '2'],
    ]);
  });

  test('without ReportBatchItemFailures is not looked at', async () => {
    const queue = await mapped({
      properties: { FunctionResponseTypes: [] },
      worker: (event) => failing(event, () => true),
    });
    await queue.send('1');
    queue.start();
    await isEmpty(queue);
  });

  test('may come after the function deleted its messages itself', async () => {
    const queue = await mapped({
      queue: { fifo: true },
      async worker(event, { call }) {
        for (const { receiptHandle: ReceiptHandle } of event.Records)
          await call('DeleteMessage', { ReceiptHandle });
      },
    });
    await queue.sendTo('a', '1', '2');
    queue.start();
    await isEmpty(queue);
    await queue.stop();
    expect(queue.failures).toEqual([]);
    expect(queue.invocations).toHaveLength(1);
  });

  test('deletions that SQS refuses are tried again', async () => {
    const weather = roughWeather(7, { 'refused-entry': 0.3 });
    const queue = await mapped({ weather, worker: () => undefined });
    for (const body of numbers(30)) await queue.call('SendMessage', { MessageBody: body });
    queue.start();
    await until(() => {
      expect(queue.invocations.flatMap(({ bodies }) => bodies)).toHaveLength(30);
    });
    await queue.stop();
    expect((await queue.counts()).inFlight).toBeLessThanOrEqual(3);
    expect(weather.counts['refused-entry']).toBeGreaterThan(0);
  });
});

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
    expect(queue.mostAtOnce).toBe(3);
    expect(queue.invocations.map(({ bodies }) => bodies.length)).toEqual(
      Array.from({ length: 10 }, () => 10),
    );
  });

  test('begins at once when a message comes to an idle queue, and asks SQS nothing while none does', async () => {
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

  test('gathers what comes while an invocation runs', async () => {
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

  test('a batching window waits for a full batch, at most its time', async () => {
    const queue = await mapped({
      properties: { BatchSize: 25, MaximumBatchingWindowInSeconds: 5 },
      worker: () => undefined,
    });
    queue.start();
    await queue.send('1', '2');
    await until(async () => {
      expect(await queue.counts()).toEqual({ visible: 0, inFlight: 2 });
    });
    await queue.send('3');
    await until(async () => {
      expect(await queue.counts()).toEqual({ visible: 0, inFlight: 3 });
    });
    queue.clock.advance(4999);
    await new Promise(setImmediate);
    expect(queue.invocations).toEqual([]);
    queue.clock.advance(1);
    await isEmpty(queue);
    await queue.send(...numbers(25));
    await isEmpty(queue);
    expect(queue.invocations.map(({ bodies }) => bodies.length)).toEqual([3, 25]);
  });

  test('a disabled mapping does nothing', async () => {
    const queue = await mapped({ properties: { Enabled: false }, worker: () => undefined });
    queue.start();
    await queue.send('1');
    await new Promise(setImmediate);
    expect(await queue.counts()).toEqual({ visible: 1, inFlight: 0 });
  });

  test('a receive that is refused is tried again after a pause', async () => {
    let isRefused = true;
    const queue = await mapped({
      dispatch: (dispatch) => (call) =>
        isRefused ? Promise.reject(new Error('AccessDenied')) : dispatch(call),
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
          for (const record of event.Records.filter(
            ({ attributes }) => attributes.MessageGroupId === group,
          )) {
            isFailed ||= (count += 1) % 7 === 0;
            if (!isFailed) done[group]?.push(Number(record.body));
            else failed.push({ itemIdentifier: record.messageId });
          }
          busy.delete(group);
        }
        for (const { itemIdentifier } of failed) {
          const ReceiptHandle = event.Records.find(
            ({ messageId }) => messageId === itemIdentifier,
          )?.receiptHandle;
          await call('ChangeMessageVisibility', { ReceiptHandle, VisibilityTimeout: 0 });
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
    for (const { bodies } of queue.invocations)
      expect(new Set(bodies.map((body) => body.charAt(0))).size).toBe(1);
  });
});

describe('the role', () => {
  test.each(['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'])(
    'needs %s, or the start stops',
    async (action) => {
      const queue = await mapped({
        allows: (_role, demand) => demand.action !== action,
        worker: () => undefined,
      });
      expect(() => {
        queue.start();
      }).toThrow(
        `The event-source mapping WorkFeed needs ${action} on ${queue.arn}, which ${functionRole} is not allowed.`,
      );
    },
  );

  test('is the one that receives and deletes', async () => {
    const queue = await mapped({ worker: () => undefined });
    queue.start();
    await queue.send('1');
    await isEmpty(queue);
    const others = queue.requests.filter(({ operation }) => /^(Receive|Delete)/.test(operation));
    expect(new Set(others.map(({ role }) => role))).toEqual(new Set([functionRole]));
  });
});

describe('stop', () => {
  test('waits for what runs, and nothing begins after it', async () => {
    const running = gate();
    const queue = await mapped({ worker: () => running.opened });
    await queue.send(...numbers(30));
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(2);
    });
    let isStopped = false;
    const stopped = queue.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    running.open();
    await stopped;
    expect(queue.invocations).toHaveLength(2);
    expect(await queue.counts()).toEqual({ visible: 10, inFlight: 0 });
  });

  test('waits no longer than it is told', async () => {
    const queue = await mapped({ worker: () => gate().opened });
    await queue.send('1');
    queue.start();
    await until(() => {
      expect(queue.invocations).toHaveLength(1);
    });
    const stopped = queue.stop(2000);
    queue.clock.advance(2000);
    await stopped;
    expect(await queue.counts()).toEqual({ visible: 0, inFlight: 1 });
  });

  test('gives back what was received but not begun', async () => {
    const queue = await mapped({
      properties: { BatchSize: 100, MaximumBatchingWindowInSeconds: 60 },
      worker: () => undefined,
    });
    await queue.send('1', '2');
    queue.start();
    await until(async () => {
      expect(await queue.counts()).toEqual({ visible: 0, inFlight: 2 });
    });
    await queue.stop();
    expect(await queue.counts()).toEqual({ visible: 2, inFlight: 0 });
    expect(queue.invocations).toEqual([]);
  });
});
