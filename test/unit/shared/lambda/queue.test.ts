import type { SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../../../shared/lambda/log.ts';
import { eachMessage, readBatch } from '../../../../shared/lambda/queue.ts';

const record = (messageId: string, body: string, more: object = {}) => ({
  messageId,
  body,
  receiptHandle: `handle-${messageId}`,
  attributes: { MessageGroupId: 'g', ApproximateFirstReceiveTimestamp: '1', ...more },
});
const eventOf = (...Records: object[]) => ({ Records }) as unknown as SQSEvent;
const quiet = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
const open = () => {
  const release = vi.fn(() => Promise.resolve());
  return { release, setAside: vi.fn(() => Promise.resolve()), receipts: { release }, log: quiet };
};

test('a message that was unreadable for ten minutes is set aside; its log line has its ids and the name of the error, not its body', async () => {
  const lines: string[] = [];
  const print = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const { setAside, receipts } = open();
  const old = record('m1', 'card 4242');
  const read = await readBatch(eventOf(old), {
    parse: JSON.parse,
    setAside,
    receipts,
    log: createLog('error', 'test'),
  });
  print.mockRestore();
  expect(read).toEqual({ messages: [], returned: [] });
  expect(setAside).toHaveBeenCalledExactlyOnceWith([old]);
  expect(lines.join()).not.toContain('4242');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: 'message.unreadable', messageId: 'm1', group: 'g', error: 'SyntaxError' },
  ]);
});

test('an unreadable message that cannot be set aside comes back', async () => {
  const setAside = () => Promise.reject(new Error('refused'));
  const old = record('m1', 'x');
  expect((await readBatch(eventOf(old), { ...open(), parse: JSON.parse, setAside })).returned).toEqual([old]);
});

test('an unreadable message comes back for ten minutes, in which another release may read it, and holds up its group', async () => {
  const { release, setAside, receipts, log } = open();
  const now = String(Date.now() - 599_000);
  const fifo = (id: string, body: string, MessageGroupId: string) =>
    record(id, body, { MessageGroupId, SequenceNumber: '1', ApproximateFirstReceiveTimestamp: now });
  const event = eventOf(fifo('a1', '1', 'a'), fifo('a2', 'x', 'a'), fifo('a3', '3', 'a'), fifo('b1', '4', 'b'));
  const { messages, returned } = await readBatch(event, { parse: JSON.parse, setAside, receipts, log });
  expect(messages.map(({ record: { messageId } }) => messageId)).toEqual(['a1', 'b1']);
  expect(returned.map(({ messageId }) => messageId)).toEqual(['a2', 'a3']);
  expect(release).toHaveBeenCalledExactlyOnceWith([
    { handle: 'handle-a2', seconds: 60 },
    { handle: 'handle-a3', seconds: 0 },
  ]);
  expect(setAside).not.toHaveBeenCalled();
});

test('a message that fails at its 20th receive is set aside, and no other of its batch', async () => {
  const { setAside, receipts, log } = open();
  const received = (id: string, count: number) => record(id, '1', { ApproximateReceiveCount: String(count) });
  const handle = () => Promise.reject(new Error('no'));
  const handler = eachMessage({ parse: JSON.parse, handle, setAside, receipts, log });
  const { batchItemFailures } = await handler(eventOf(received('m1', 19), received('m2', 20)), { awsRequestId: 'b' });
  expect(batchItemFailures).toEqual([{ itemIdentifier: 'm1' }]);
  expect(setAside).toHaveBeenCalledExactlyOnceWith([expect.objectContaining({ messageId: 'm2' })]);
});
