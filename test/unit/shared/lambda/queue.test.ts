import type { SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../../../shared/lambda/log.ts';
import { readBatch } from '../../../../shared/lambda/queue.ts';

const record = { messageId: 'm1', body: 'card 4242', attributes: { MessageGroupId: 'g' } };
const event = { Records: [record] } as unknown as SQSEvent;

test('an unreadable message is set aside; its log line has its ids and the name of the error, not its body', async () => {
  const lines: string[] = [];
  const print = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const setAside = vi.fn(() => Promise.resolve());
  const read = await readBatch(event, { parse: JSON.parse, setAside, log: createLog('error', 'test') });
  print.mockRestore();
  expect(read).toEqual({ messages: [], returned: [] });
  expect(setAside).toHaveBeenCalledExactlyOnceWith([record]);
  expect(lines.join()).not.toContain('4242');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: 'message.unreadable', messageId: 'm1', group: 'g', error: 'SyntaxError' },
  ]);
});

test('an unreadable message that cannot be set aside comes back', async () => {
  const setAside = () => Promise.reject(new Error('refused'));
  const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn(), debug: vi.fn() };
  expect((await readBatch(event, { parse: JSON.parse, setAside, log })).returned).toEqual([record]);
});
