import { expect, test } from 'vitest';
import { eventMessage, retryMessage, startMessage } from '../../../../../shared/domain/live/sse-message.ts';

test('an event is one line of data, whatever stands between the tokens of its JSON', () => {
  expect(eventMessage('1-0', '{"a":"x\\ny"}')).toBe('id: 1-0\ndata: {"a":"x\\ny"}\n\n');
  expect(eventMessage('1-0', '{\r\n"a":\n1\r}')).toBe('id: 1-0\ndata: { "a": 1 }\n\n');
});

test('the first message names the newest event', () => {
  expect(startMessage('1-0')).toBe('event: start\nid: 1-0\ndata: {}\n\n');
  expect(retryMessage(250)).toBe('retry: 250\n\n');
});
