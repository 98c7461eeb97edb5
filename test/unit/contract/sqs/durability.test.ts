import { afterEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { heldDisk } from '../../../support/held-disk.ts';
import { memoryDisk } from '../../../support/memory-disk.ts';
import { SqsService } from '../../../../infra/embedded/sqs/service.ts';
import { noFaults } from '../../../../infra/embedded/faults.ts';
import { afterCrash } from './crash.ts';
import { callForOne, type EmbeddedOptions, type NewQueue, openService } from './targets.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const service of opened.splice(0).reverse()) await service.close();
});

interface Received {
  readonly MessageId: string;
  readonly Body: string;
  readonly ReceiptHandle: string;
  readonly Attributes: Readonly<Record<string, string>>;
}

/** A queue whose service can be killed and started again. */
async function restartable(spec: NewQueue, options: EmbeddedOptions = {}) {
  const clock = new FakeClock();
  const queue = { name: spec.fifo ? 'q.fifo' : 'q', visibilityTimeout: 30, ...spec };
  let current = await openService({ clock });
  opened.push(current);
  let { url } = await current.service.createQueue(queue);
  const call = (operation: string, input: object) => current.call(operation, { QueueUrl: url, ...input });
  return {
    clock,
    call,
    remove: (ReceiptHandle: string | undefined) =>
      callForOne(call, 'DeleteMessageBatch', { QueueUrl: url, ReceiptHandle }),
    change: (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
      callForOne(call, 'ChangeMessageVisibilityBatch', { QueueUrl: url, ReceiptHandle, VisibilityTimeout }),
    async receive(max = 10): Promise<Received[]> {
      const input = {
        QueueUrl: url,
        MaxNumberOfMessages: max,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      };
      const { Messages = [] } = await current.call('ReceiveMessage', input);
      return Messages as Received[];
    },
    async kill() {
      current = await afterCrash(current.directory, { clock, ...options });
      opened.push(current);
      ({ url } = await current.service.createQueue(queue));
    },
  };
}

const bodies = (messages: readonly Received[]) => messages.map(({ Body }) => Body);
const fifoMessage = (body: string, group = 'a') => ({
  MessageBody: body,
  MessageGroupId: group,
  MessageDeduplicationId: body,
});

describe('after kill -9', () => {
  test('every acknowledged message is complete', async () => {
    const queue = await restartable({});
    const MessageAttributes = {
      text: { DataType: 'String', StringValue: 'line\nfeed' },
      bytes: { DataType: 'Binary', BinaryValue: Uint8Array.of(0, 10, 255) },
    };
    await queue.call('SendMessage', { MessageBody: 'first\nsecond', MessageGroupId: 'g', MessageAttributes });
    await queue.call('SendMessageBatch', {
      Entries: [
        { Id: '1', MessageBody: 'grün' },
        { Id: '2', MessageBody: '😀' },
      ],
    });
    await queue.kill();
    const received = await queue.receive();
    expect(bodies(received).sort()).toEqual(['first\nsecond', 'grün', '😀']);
    expect(received.find(({ Body }) => Body.startsWith('first'))).toMatchObject({
      Attributes: { MessageGroupId: 'g', SenderId: 'Tester' },
      MessageAttributes: { text: MessageAttributes.text, bytes: { BinaryValue: Uint8Array.of(0, 10, 255) } },
    });
  });

  test('a deleted message stays deleted', async () => {
    const queue = await restartable({});
    await queue.call('SendMessage', { MessageBody: 'body' });
    const [message] = await queue.receive();
    await queue.remove(message?.ReceiptHandle);
    await queue.kill();
    queue.clock.advance(60_000);
    expect(await queue.receive()).toEqual([]);
  });

  test('a message in flight stays hidden for the rest of its visibility timeout', async () => {
    const queue = await restartable({});
    await queue.call('SendMessage', { MessageBody: 'body' });
    await queue.receive();
    queue.clock.advance(10_000);
    await queue.kill();
    queue.clock.advance(19_999);
    expect(await queue.receive()).toEqual([]);
    queue.clock.advance(1);
    expect(bodies(await queue.receive())).toEqual(['body']);
  });

  test('receive count and first receive time are kept', async () => {
    const queue = await restartable({});
    await queue.call('SendMessage', { MessageBody: 'body' });
    queue.clock.advance(1234);
    const [first] = await queue.receive();
    for (let count = 2; count <= 4; count += 1) {
      queue.clock.advance(30_000);
      await queue.kill();
      const [again] = await queue.receive();
      expect(again?.Attributes).toEqual({ ...first?.Attributes, ApproximateReceiveCount: String(count) });
    }
  });

  test('a receipt handle still deletes its message', async () => {
    const queue = await restartable({ fifo: true });
    await queue.call('SendMessage', fifoMessage('1'));
    await queue.call('SendMessage', fifoMessage('2'));
    const [message] = await queue.receive(1);
    await queue.kill();
    expect(await queue.receive()).toEqual([]);
    await queue.remove(message?.ReceiptHandle);
    expect(bodies(await queue.receive())).toEqual(['2']);
  });

  test('a delay continues', async () => {
    const queue = await restartable({});
    await queue.call('SendMessage', { MessageBody: 'later', DelaySeconds: 900 });
    await queue.kill();
    queue.clock.advance(899_999);
    expect(await queue.receive()).toEqual([]);
    queue.clock.advance(1);
    expect(bodies(await queue.receive())).toEqual(['later']);
  });

  test('a group keeps its order and stays blocked while one of its messages is in flight', async () => {
    const queue = await restartable({ fifo: true });
    for (const body of ['1', '2', '3']) await queue.call('SendMessage', fifoMessage(body));
    await queue.receive(1);
    await queue.kill();
    expect(await queue.receive()).toEqual([]);
    queue.clock.advance(30_000);
    expect(bodies(await queue.receive())).toEqual(['1', '2', '3']);
  });

  test('a group stays blocked by a later message though its first one was shown again', async () => {
    const queue = await restartable({ fifo: true });
    for (const body of ['1', '2']) await queue.call('SendMessage', fifoMessage(body));
    const [first] = await queue.receive();
    await queue.change(first?.ReceiptHandle, 0);
    await queue.kill();
    expect(await queue.receive()).toEqual([]);
    queue.clock.advance(30_000);
    expect(bodies(await queue.receive())).toEqual(['1', '2']);
  });

  test('sequence numbers keep growing, also after every message was deleted', async () => {
    const queue = await restartable({ fifo: true });
    const numbers: string[] = [];
    for (const body of ['1', '2', '3', '4']) {
      const { SequenceNumber } = await queue.call('SendMessage', fifoMessage(body));
      numbers.push(String(SequenceNumber));
      const [message] = await queue.receive();
      await queue.remove(message?.ReceiptHandle);
      await queue.kill();
    }
    expect(numbers).toEqual([...new Set(numbers)].sort());
  });

  test('the deduplication window continues, and ends', async () => {
    const queue = await restartable({ fifo: true, deduplicationScope: 'messageGroup' });
    const { MessageId, SequenceNumber } = await queue.call('SendMessage', fifoMessage('once'));
    const [message] = await queue.receive();
    await queue.remove(message?.ReceiptHandle);
    queue.clock.advance(299_999);
    await queue.kill();
    expect(await queue.call('SendMessage', fifoMessage('once'))).toMatchObject({ MessageId, SequenceNumber });
    queue.clock.advance(1);
    expect(await queue.call('SendMessage', fifoMessage('once'))).not.toMatchObject({ MessageId });
  });

  test('messages in flight become visible immediately with releaseUnanswered', async () => {
    const queue = await restartable({ fifo: true }, { releaseUnanswered: true });
    for (const body of ['1', '2']) await queue.call('SendMessage', fifoMessage(body));
    await queue.receive(1);
    await queue.kill();
    expect(
      (await queue.receive()).map(({ Body, Attributes }) => [Body, Attributes['ApproximateReceiveCount']]),
    ).toEqual([
      ['1', '2'],
      ['2', '1'],
    ]);
  });

  test('a visibility timeout that the consumer set is kept also with releaseUnanswered', async () => {
    const queue = await restartable({}, { releaseUnanswered: true });
    await queue.call('SendMessage', { MessageBody: 'backing off' });
    const [message] = await queue.receive();
    await queue.change(message?.ReceiptHandle, 64);
    await queue.kill();
    queue.clock.advance(63_999);
    expect(await queue.receive()).toEqual([]);
    queue.clock.advance(1);
    expect(bodies(await queue.receive())).toEqual(['backing off']);
  });
});

test.each(['SendMessage', 'SendMessageBatch', 'ReceiveMessage', 'ChangeMessageVisibilityBatch', 'DeleteMessageBatch'])(
  '%s answers only after its changes are written',
  async (operation) => {
    const disk = heldDisk(memoryDisk());
    const location = {
      region: 'us-east-1',
      account: '000000000000',
      queueUrlBase: 'https://sqs.us-east-1.amazonaws.com',
    };
    const service = new SqsService({ disk, clock: new FakeClock(), faults: noFaults, ...location });
    const { url: QueueUrl } = await service.createQueue({ name: 'q' });
    const begin = (name: string, input: object) => service.call(name, { QueueUrl, ...input }, 'role/Tester');
    const done = async (name: string, input: object) => {
      const response = begin(name, input);
      disk.release();
      return response;
    };
    await done('SendMessage', { MessageBody: 'body' });
    let ReceiptHandle: string | undefined;
    if (operation === 'ChangeMessageVisibilityBatch' || operation === 'DeleteMessageBatch') {
      const { Messages } = await done('ReceiveMessage', {});
      ReceiptHandle = (Messages as Received[])[0]?.ReceiptHandle;
    }
    let isAnswered = false;
    const entry = { Id: 'one', MessageBody: 'body', ReceiptHandle, VisibilityTimeout: 10 };
    const response = begin(operation, { MessageBody: 'body', Entries: [entry] }).then(() => {
      isAnswered = true;
    });
    await new Promise(setImmediate);
    expect(isAnswered).toBe(false);
    disk.release();
    await response;
  },
);

test('bodies beyond the memory budget are read from disk, before and after a restart', async () => {
  const queue = await restartable({});
  const big = (n: number) => String(n).padStart(4, '0').repeat(262_144);
  for (let n = 0; n < 70; n += 1) await queue.call('SendMessage', { MessageBody: big(n) });
  const before = await queue.receive();
  expect(bodies(before)).toEqual(Array.from({ length: 10 }, (_, n) => big(n)));
  queue.clock.advance(30_000);
  await queue.kill();
  let read = 0;
  for (let received = await queue.receive(); received.length > 0; received = await queue.receive()) {
    for (const { Body } of received) expect(Body === big(Number(Body.slice(0, 4)))).toBe(true);
    read += received.length;
  }
  expect(read).toBe(70);
});
