import {
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { scheduleTargets } from '../../../../bin/admin/scheduled-message.ts';
import { createScheduleDeadLetters } from '../../../../shared/aws/letters/schedule-dead-letters.ts';
import { SCHEDULED_TIME } from '../../../../shared/aws/schedules.ts';

const sqs = mockClient(SQSClient);
beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  sqs.on(DeleteMessageBatchCommand).resolves({ Successful: [], Failed: [] });
});
afterAll(() => sqs.restore());

const client = new SQSClient({ region: 'us-east-1' });
const addresses = (name: string) => ({
  url: `https://sqs/${name}`,
  deadLettersUrl: `https://sqs/dead-${name}`,
});
const letters = createScheduleDeadLetters(() => client, {
  deadLettersUrl: 'https://sqs/dead-schedules',
  targetOf: scheduleTargets({
    runs: addresses('runs.fifo'),
    retries: addresses('retries'),
    timers: addresses('timers'),
  }),
});

const tick = {
  kind: 'tick',
  sourceId: 'dc_abcdefg',
  ownerId: 'u_abcdefg',
  generation: 1,
  scheduledAt: SCHEDULED_TIME,
};
const TIME = '2031-03-01T12:30:00Z';

function holds(...bodies: string[]): void {
  sqs.on(ReceiveMessageCommand).resolves({
    Messages: bodies.map((Body, index) => ({
      MessageId: `m${index}`,
      ReceiptHandle: `h${index}`,
      Body,
      Attributes: { SentTimestamp: '1' },
      MessageAttributes: { SCHEDULED_TIME: { DataType: 'String', StringValue: TIME } },
    })),
  });
}

const sent = () =>
  sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => ({
    url: input.QueueUrl,
    entries: input.Entries?.map(({ MessageBody, MessageGroupId, MessageDeduplicationId }) => [
      MessageBody,
      MessageGroupId,
      MessageDeduplicationId,
    ]),
  }));

test.each([
  ['the message', JSON.stringify(tick)],
  ['the request to SQS', JSON.stringify({ QueueUrl: 'q', MessageBody: JSON.stringify(tick) })],
])('a body that is %s goes to its queue and group, with the time of the schedule', async (_, body) => {
  holds(body);
  await letters.redrive(await letters.receive());
  const message = JSON.stringify({ ...tick, scheduledAt: TIME });
  expect(sent()).toEqual([{ url: 'https://sqs/runs.fifo', entries: [[message, 'dc_abcdefg', 'redrive-m0']] }]);
  expect(sqs.commandCalls(DeleteMessageBatchCommand)).toHaveLength(1);
});

test('each message goes to the queue of its kind', async () => {
  const keep = JSON.stringify({ kind: 'keep', listenerId: 'wh_abcdefg' });
  const hourly = JSON.stringify({ kind: 'metrics', scheduledAt: TIME });
  holds(keep, hourly);
  await letters.redrive(await letters.receive());
  expect(sent()).toEqual([
    { url: 'https://sqs/retries', entries: [[keep, undefined, undefined]] },
    { url: 'https://sqs/timers', entries: [[hourly, undefined, undefined]] },
  ]);
});

test('a message that cannot be read stops the redrive before anything is sent or deleted', async () => {
  holds(JSON.stringify(tick), '{"kind":"of another release"}');
  await expect(letters.receive().then(letters.redrive)).rejects.toThrow(
    'The message m1 cannot be read by this release. Drop it to redrive others.',
  );
  expect(sent()).toEqual([]);
  expect(sqs.commandCalls(DeleteMessageBatchCommand)).toEqual([]);
});
