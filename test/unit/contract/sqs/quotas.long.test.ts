import { afterEach, beforeEach, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { callForOne, type OpenService, openService } from './targets.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-queues.html */
const QUOTA = 120_000;

let open: OpenService;
beforeEach(async () => {
  open = await openService({ clock: new FakeClock() });
});
afterEach(() => open.close());

async function fill(url: string, count: number, entry: (index: number) => object): Promise<void> {
  for (let start = 0; start < count; start += 1000) {
    const batches = Array.from({ length: 100 }, (_, batch) => {
      const Entries = Array.from({ length: 10 }, (_, n) => ({
        Id: String(n),
        MessageBody: 'm',
        ...entry(start + batch * 10 + n),
      }));
      return open.call('SendMessageBatch', { QueueUrl: url, Entries });
    });
    await Promise.all(batches);
  }
}

const remove = (QueueUrl: string, ReceiptHandle: string) =>
  callForOne(open.call, 'DeleteMessageBatch', { QueueUrl, ReceiptHandle });

const receive = async (QueueUrl: string, more: object = {}) => {
  const { Messages = [] } = await open.call('ReceiveMessage', { QueueUrl, MaxNumberOfMessages: 10, ...more });
  return Messages as { Body: string; ReceiptHandle: string }[];
};

async function receiveAll(url: string, count: number) {
  const received: { Body: string; ReceiptHandle: string }[] = [];
  while (received.length < count) {
    const batches = await Promise.all(Array.from({ length: 100 }, () => receive(url)));
    received.push(...batches.flat());
  }
  return received;
}

test('a standard queue has at most 120,000 messages in flight: short polls are refused, long polls wait', async () => {
  const { url } = await open.service.createQueue({ name: 'many', visibilityTimeout: 600 });
  await fill(url, QUOTA + 1000, () => ({}));
  const [first = expect.fail('No message was received.')] = await receiveAll(url, QUOTA);

  await expect(receive(url)).rejects.toMatchObject({ name: 'OverLimit' });
  await remove(url, first.ReceiptHandle);
  expect(await receive(url)).toHaveLength(1);
});

test('a FIFO queue has at most 120,000 messages in flight; further receives are empty', async () => {
  const { url } = await open.service.createQueue({ name: 'many.fifo', fifo: true, visibilityTimeout: 600 });
  await fill(url, QUOTA + 1000, (n) => ({ MessageGroupId: String(n), MessageDeduplicationId: String(n) }));
  const [first = expect.fail('No message was received.')] = await receiveAll(url, QUOTA);

  expect(await receive(url)).toEqual([]);
  await remove(url, first.ReceiptHandle);
  expect(await receive(url)).toHaveLength(1);
});

test('a FIFO queue looks for groups only among the first 120,000 messages of its backlog', async () => {
  const { url } = await open.service.createQueue({ name: 'deep.fifo', fifo: true, visibilityTimeout: 600 });
  await fill(url, QUOTA, (n) => ({ MessageGroupId: 'busy', MessageDeduplicationId: String(n) }));
  const [busy = expect.fail('No message was received.')] = await receive(url, { MaxNumberOfMessages: 1 });
  await open.call('SendMessage', {
    QueueUrl: url,
    MessageBody: 'late',
    MessageGroupId: 'idle',
    MessageDeduplicationId: 'late',
  });

  expect(await receive(url)).toEqual([]);
  await remove(url, busy.ReceiptHandle);
  expect([...(await receive(url)), ...(await receive(url))].map(({ Body }) => Body)).toContain('late');
});
