import { afterEach, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import { randomFaults, type Faults, type FaultKind } from '../../../infra/embedded/faults.ts';
import { callForOne, type NewQueue, type OpenService, openService } from '../../unit/contract/sqs/targets.ts';

let open: OpenService | undefined;
afterEach(() => open?.close());

interface Received {
  readonly Body: string;
  readonly ReceiptHandle: string;
  readonly Attributes: Readonly<Record<string, string>>;
}

async function queueWith(faults: Faults, spec: NewQueue = {}) {
  open = await openService({ clock: new FakeClock(), faults });
  const { service, call } = open;
  const { url: QueueUrl } = await service.createQueue({
    name: spec.fifo ? 'q.fifo' : 'q',
    visibilityTimeout: 30,
    ...spec,
  });
  return {
    call: (operation: string, input: object) => call(operation, { QueueUrl, ...input }),
    async receive(max = 10) {
      const input = { QueueUrl, MaxNumberOfMessages: max, MessageSystemAttributeNames: ['All'] };
      const { Messages = [] } = await call('ReceiveMessage', input);
      return Messages as Received[];
    },
  };
}

const always = (kind: FaultKind) => randomFaults(1, { [kind]: 1 });

describe('with fault injection', () => {
  test('a standard queue gives a deleted message again', async () => {
    const faults = always('repeated-message');
    const queue = await queueWith(faults);
    await queue.call('SendMessage', { MessageBody: 'body' });
    const [first] = await queue.receive();
    await callForOne(queue.call, 'DeleteMessageBatch', { ReceiptHandle: first?.ReceiptHandle });
    const [second] = await queue.receive();
    expect(second).toMatchObject({ Body: 'body', Attributes: { ApproximateReceiveCount: '2' } });
    expect(faults.counts['repeated-message']).toBe(1);
  });

  test('a standard queue gives messages out of order', async () => {
    const faults = randomFaults(1, { 'reordered-message': 0.5 });
    const queue = await queueWith(faults);
    const bodies = Array.from({ length: 10 }, (_, n) => String(n));
    for (const MessageBody of bodies) await queue.call('SendMessage', { MessageBody });
    const received = (await queue.receive()).map(({ Body }) => Body);
    expect(received).not.toEqual(bodies);
    expect(received.sort()).toEqual(bodies);
    expect(faults.counts['reordered-message']).toBeGreaterThan(0);
  });

  test.each([
    ['SendMessageBatch', { MessageBody: 'body' }],
    ['DeleteMessageBatch', { ReceiptHandle: 'handle' }],
    ['ChangeMessageVisibilityBatch', { ReceiptHandle: 'handle', VisibilityTimeout: 0 }],
  ])('%s refuses valid entries', async (operation, entry) => {
    const faults = always('refused-entry');
    const queue = await queueWith(faults);
    const { Failed, Successful } = await queue.call(operation, { Entries: [{ Id: 'one', ...entry }] });
    expect(Failed).toMatchObject([{ Id: 'one', SenderFault: false, Code: 'InternalError' }]);
    expect(Successful).toEqual([]);
    expect(await queue.receive()).toEqual([]);
    expect(faults.counts['refused-entry']).toBe(1);
  });

  test('a FIFO receive mixes groups although one group could fill it, each group in its order', async () => {
    const faults = always('mixed-groups');
    const queue = await queueWith(faults, { fifo: true });
    for (const group of ['a', 'b', 'c']) {
      for (let n = 0; n < 10; n += 1) {
        const MessageBody = `${group}${n}`;
        await queue.call('SendMessage', {
          MessageBody,
          MessageGroupId: group,
          MessageDeduplicationId: MessageBody,
        });
      }
    }
    const received = (await queue.receive()).map(({ Body }) => Body);
    expect(received).toHaveLength(10);
    expect(new Set(received.map((body) => body.charAt(0))).size).toBe(3);
    expect(received).toEqual([...received].sort());
    expect(faults.counts['mixed-groups']).toBe(1);
  });
});

test('without fault injection one group fills a receive if it can', async () => {
  const queue = await queueWith(randomFaults(1, {}), { fifo: true });
  for (const MessageGroupId of ['a', 'b']) {
    for (let n = 0; n < 10; n += 1) {
      const MessageBody = `${MessageGroupId}${n}`;
      await queue.call('SendMessage', { MessageBody, MessageGroupId, MessageDeduplicationId: MessageBody });
    }
  }
  expect(new Set((await queue.receive()).map(({ Body }) => Body.charAt(0))).size).toBe(1);
});
