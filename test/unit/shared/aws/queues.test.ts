import { messageText } from '../../../../shared/domain/run/message-text.ts';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createReceipts } from '../../../../shared/aws/queue-receipts.ts';
import {
  createDeliverySender,
  createRetrySender,
  createTriggerCoalescer,
  createTriggerSender,
} from '../../../../shared/aws/queues.ts';
import { createSetAside } from '../../../../shared/aws/letters/set-aside.ts';
import { EventId } from '../../../../shared/domain/event/event-id.ts';
import { DeliveryId, SourceId, UserId, WebhookId } from '../../../../shared/domain/id.ts';
import { type DeliveryMessage, RunTrigger } from '../../../../shared/domain/run/message.ts';

const sqs = mockClient(SQSClient);
const objects = new Map<string, string>();
const client = new SQSClient({ region: 'us-east-1' });
const options = {
  sqs: () => client,
  queueUrl: 'https://queue',
  payloads: { putText: async (key: string, text: string | Buffer) => void objects.set(key, String(text)) },
};
beforeEach(() => {
  sqs.reset();
  objects.clear();
  sqs.on(SendMessageBatchCommand).resolves({});
});
afterAll(() => sqs.restore());

const sourceId = SourceId.parse('dc_1');
const ownerId = UserId.parse('u_1');
const trigger = (n: number, json = '{}'): RunTrigger => ({
  kind: 'run',
  id: `t-${n}`,
  emitterId: sourceId,
  ownerId,
  at: 0,
  cause: 'http',
  payload: { json },
  hops: 0,
});
const delivery = (json: string): DeliveryMessage => ({
  emitterId: sourceId,
  ownerId,
  stream: 'default',
  eventId: EventId.parse('1-0'),
  emitId: 'e',
  payload: { json },
  hops: 0,
});
const many = (count: number, json?: string) => Array.from({ length: count }, (_, n) => trigger(n, json));
const batches = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries ?? []);

describe('triggers', () => {
  test('carry their emitter as group and their id as deduplication id', async () => {
    await createTriggerSender(options)([trigger(1)]);
    expect(batches()[0]?.[0]).toMatchObject({ MessageGroupId: 'dc_1', MessageDeduplicationId: 't-1' });
  });

  test('go ten to a request, in order', async () => {
    await createTriggerSender(options)(many(23));
    expect(batches().map((entries) => entries.length)).toEqual([10, 10, 3]);
    const ids = batches().flatMap((entries) => entries.map(({ MessageDeduplicationId }) => MessageDeduplicationId));
    expect(ids).toEqual(many(23).map(({ id }) => id));
  });

  test('go in requests of at most 1 MiB', async () => {
    await createTriggerSender(options)(many(10, JSON.stringify('x'.repeat(180_000))));
    expect(batches().map((entries) => entries.length)).toEqual([5, 5]);
  });

  test('larger than 200 KB leave their payload in the bucket first', async () => {
    const json = JSON.stringify('x'.repeat(200_000));
    await createTriggerSender(options)([trigger(1, json)]);
    const { payload } = RunTrigger.parse(JSON.parse(batches()[0]?.[0]?.MessageBody ?? ''));
    expect(payload).toEqual({ key: 'payloads/u_1/dc_1/triggers/t-1', bytes: 200_002 });
    expect([...objects.values()]).toEqual([json]);
  });

  test('that were refused are sent again until all are accepted', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .resolvesOnce({
        Failed: [
          { Id: '1', Code: 'InternalError', SenderFault: false },
          { Id: '3', Code: 'InternalError', SenderFault: false },
        ],
      })
      .resolvesOnce({ Failed: [{ Id: '0', Code: 'InternalError', SenderFault: false }] })
      .resolves({});
    await createTriggerSender(options)(many(5));
    const ids = batches().map((entries) => entries.map(({ MessageDeduplicationId }) => MessageDeduplicationId));
    expect(ids).toEqual([['t-0', 't-1', 't-2', 't-3', 't-4'], ['t-1', 't-3'], ['t-1']]);
  });

  test('that are refused for good are no success', async () => {
    sqs
      .on(SendMessageBatchCommand)
      .resolves({ Failed: [{ Id: '0', Code: 'InvalidMessageContents', SenderFault: true }] });
    await expect(createTriggerSender(options)([trigger(1)])).rejects.toMatchObject({ kind: 'unavailable' });
    expect(batches()).toHaveLength(1);
  });
});

describe('requests that arrive side by side', () => {
  test('share requests to the queue, and each learns of its own', async () => {
    const send = createTriggerCoalescer(options);
    await Promise.all(many(25).map(send));
    expect(batches().map((entries) => entries.length)).toEqual([10, 10, 5]);
  });

  test('fail together only within their request', async () => {
    sqs.on(SendMessageBatchCommand).rejectsOnce(new Error('throttled')).resolves({});
    const send = createTriggerCoalescer(options);
    const results = await Promise.allSettled(many(12).map(send));
    expect(results.map(({ status }) => status)).toEqual([
      ...Array<string>(10).fill('rejected'),
      'fulfilled',
      'fulfilled',
    ]);
  });

  test('a single one is sent alone', async () => {
    await createTriggerCoalescer(options)(trigger(1));
    expect(batches()).toHaveLength(1);
  });
});

describe('messages', () => {
  test('contain no character that a queue refuses, and keep their meaning', () => {
    const text = 'a\u0000b\u001f\uFFFE\uFFFF\uD800 😀 ü';
    const sent = messageText({ payload: { json: JSON.stringify(text) } });
    // oxlint-disable-next-line no-control-regex -- the refused characters
    expect(sent).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uFFFE\uFFFF]|\p{Surrogate}/u);
    const back = JSON.parse(sent) as { payload: { json: string } };
    expect(JSON.parse(back.payload.json)).toBe(text);
  });

  test('of standard queues have no deduplication id; deliveries are grouped by owner, retries by listener', async () => {
    await createDeliverySender(options)([delivery('{}')]);
    await createRetrySender(options)(
      {
        kind: 'retry',
        deliveryId: DeliveryId.parse(`dl_${'0'.repeat(24)}`),
        listenerId: WebhookId.parse('wh_1'),
        turn: 1,
      },
      7,
    );
    expect(batches()[0]?.[0]).toMatchObject({ MessageGroupId: ownerId });
    expect(batches()[1]?.[0]).toMatchObject({ MessageGroupId: 'wh_1', DelaySeconds: 7 });
    for (const [entry] of batches()) expect(entry).not.toHaveProperty('MessageDeduplicationId');
  });

  test.each([
    [
      'a FIFO queue',
      { MessageGroupId: 'dc_1', SequenceNumber: '1885' },
      { MessageGroupId: 'dc_1', MessageDeduplicationId: 'm1' },
    ],
    ['a standard queue', { MessageGroupId: 'u_1' }, { MessageGroupId: 'u_1' }],
    ['an earlier release, without a group', {}, {}],
  ])('of %s are set aside as their dead-letter queue takes them', async (_, attributes, expected) => {
    const record = {
      messageId: 'm1',
      receiptHandle: 'h',
      body: '?',
      md5OfBody: '',
      messageAttributes: {},
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn',
      awsRegion: 'us-east-1',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: '0',
        SenderId: '',
        ApproximateFirstReceiveTimestamp: '0',
        ...attributes,
      },
    };
    await createSetAside(options)([record]);
    expect(batches()[0]?.[0]).toEqual({ Id: '0', MessageBody: '?', ...expected });
  });

  test('of deliveries of several emitters share requests, ten to each', async () => {
    const send = createDeliverySender(options);
    await Promise.all(Array.from({ length: 12 }, (_, n) => send([delivery(`{"n":${n}}`)])));
    const requests = sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => input.Entries);
    expect(requests.map((entries) => entries?.length)).toEqual([10, 2]);
  });

  test('of deliveries by the thousand are under way 500 at a time, so that others are served in between', async () => {
    let response: (() => void) | undefined;
    const answered = new Promise<void>((resolve) => (response = resolve));
    sqs.on(SendMessageBatchCommand).callsFake(async () => {
      await answered;
      return {};
    });
    const sent = createDeliverySender(options)(Array.from({ length: 1_001 }, (_, n) => delivery(`{"n":${n}}`)));
    const underWay = () => sqs.commandCalls(SendMessageBatchCommand).length;
    await expect.poll(underWay).toBe(50);
    response?.();
    await sent;
    expect(underWay()).toBe(101);
  });

  test('no request is sent without messages', async () => {
    await createDeliverySender(options)([]);
    await createReceipts(options.sqs, 'q').release([]);
    expect(batches()).toEqual([]);
  });

  test('are released with a pause of their own', async () => {
    sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
    await createReceipts(options.sqs, 'q').release([{ handle: 'h', seconds: 4 }]);
    expect(sqs.commandCalls(ChangeMessageVisibilityBatchCommand)[0]?.args[0].input.Entries).toEqual([
      { Id: '0', ReceiptHandle: 'h', VisibilityTimeout: 4 },
    ]);
  });

  test('whose release is refused are released again, so that their group does not wait for the queue', async () => {
    const refused = (Id: string, SenderFault: boolean) => ({ Id, Code: 'InternalError', SenderFault });
    sqs
      .on(ChangeMessageVisibilityBatchCommand)
      .resolvesOnce({ Failed: [refused('1', false), refused('2', true)] })
      .resolves({});
    const messages = ['a', 'b', 'c'].map((handle) => ({ handle, seconds: 2 }));
    await createReceipts(options.sqs, 'q').release(messages);
    const requests = sqs.commandCalls(ChangeMessageVisibilityBatchCommand).map(({ args }) => args[0].input.Entries);
    expect(requests.map((entries) => entries?.map(({ ReceiptHandle }) => ReceiptHandle))).toEqual([
      ['a', 'b', 'c'],
      ['b'],
    ]);
  });

  test('are removed and released ten in a request, and a request that fails stops no other', async () => {
    sqs.on(DeleteMessageBatchCommand).resolves({});
    sqs.on(ChangeMessageVisibilityBatchCommand).rejectsOnce(new Error('refused')).resolves({});
    const receipts = createReceipts(options.sqs, 'q');
    const handles = Array.from({ length: 25 }, (_, n) => `h${n}`);
    await receipts.remove(handles);
    await expect(receipts.release(handles.map((handle) => ({ handle, seconds: 0 })))).rejects.toThrow();
    for (const calls of [
      sqs.commandCalls(DeleteMessageBatchCommand),
      sqs.commandCalls(ChangeMessageVisibilityBatchCommand),
    ]) {
      const requests = calls.map(({ args: [{ input }] }) => input.Entries ?? []);
      expect(requests.map(({ length }) => length)).toEqual([10, 10, 5]);
      expect(requests.flat().map(({ ReceiptHandle }) => ReceiptHandle)).toEqual(handles);
    }
  });

  test('whose removal is refused are removed again, so that their group does not wait for the rest of the batch', async () => {
    sqs
      .on(DeleteMessageBatchCommand)
      .resolvesOnce({ Failed: [{ Id: '1', Code: 'InternalError', SenderFault: false }] })
      .resolves({});
    await createReceipts(options.sqs, 'q').remove(['a', 'b', 'c']);
    const requests = sqs.commandCalls(DeleteMessageBatchCommand).map(({ args }) => args[0].input.Entries);
    expect(requests.map((entries) => entries?.map(({ ReceiptHandle }) => ReceiptHandle))).toEqual([
      ['a', 'b', 'c'],
      ['b'],
    ]);
  });
});
