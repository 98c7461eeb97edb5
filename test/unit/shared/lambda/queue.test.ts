import type { SQSEvent } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { createLog } from '../../../../shared/lambda/log.ts';
import { parseBatch } from '../../../../shared/lambda/queue.ts';

test('the log line of an unreadable message has its id and the name of the error, not its body', () => {
  const lines: string[] = [];
  const print = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  const event = { Records: [{ messageId: 'm1', body: 'card 4242' }] } as unknown as SQSEvent;
  const { messages, unreadable } = parseBatch(event, JSON.parse, createLog('error', 'test'));
  print.mockRestore();
  expect(messages).toEqual([]);
  expect(unreadable).toEqual(event.Records);
  expect(lines.join()).not.toContain('4242');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: 'message.unreadable', messageId: 'm1', error: 'SyntaxError' },
  ]);
});
