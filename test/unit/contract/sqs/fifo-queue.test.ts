import * as sdk from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FakeClock } from '../../../../infra/embedded/clock.ts';
import { callForOne, native, type NewQueue, serialised, type Target } from './targets.ts';

/** Checked against https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fifo-queues.html */
describe.each([
  { path: 'through the whole serialisation of the SDK', open: serialised },
  { path: 'short-circuited', open: native },
])('FIFO queue, $path', ({ open }) => {
  const clock = new FakeClock();
  let target: Target;
  beforeAll(async () => {
    target = await open({ clock });
  });
  afterAll(() => target.close());

  const highThroughput = {
    fifo: true,
    visibilityTimeout: 30,
    deduplicationScope: 'messageGroup',
    fifoThroughputLimit: 'perMessageGroupId',
  } satisfies NewQueue;
  const queue = async (spec: NewQueue = {}) => (await target.createQueue({ ...highThroughput, ...spec })).url;

  let sent = 0;
  const send = (
    QueueUrl: string,
    MessageGroupId: string | undefined,
    body: string,
    more: Partial<sdk.SendMessageCommandInput> = {},
  ) => {
    const MessageDeduplicationId = `sent-${(sent += 1)}`;
    const input = { QueueUrl, MessageBody: body, MessageGroupId, MessageDeduplicationId, ...more };
    return target.client.send(new sdk.SendMessageCommand(input));
  };
  const receive = async (QueueUrl: string, MaxNumberOfMessages = 10) => {
    const input = { QueueUrl, MaxNumberOfMessages, MessageSystemAttributeNames: ['All' as const] };
    return (await target.client.send(new sdk.ReceiveMessageCommand(input))).Messages ?? [];
  };
  const bodies = async (QueueUrl: string, max?: number) => (await receive(QueueUrl, max)).map(({ Body }) => Body);
  const deleteBatch = async (_operation: string, input: object) => ({
    ...(await target.client.send(new sdk.DeleteMessageBatchCommand(input as sdk.DeleteMessageBatchCommandInput))),
  });
  const changeBatch = async (_operation: string, input: object) => ({
    ...(await target.client.send(
      new sdk.ChangeMessageVisibilityBatchCommand(input as sdk.ChangeMessageVisibilityBatchCommandInput),
    )),
  });
  const remove = (QueueUrl: string, { ReceiptHandle }: sdk.Message) =>
    callForOne(deleteBatch, 'DeleteMessageBatch', { QueueUrl, ReceiptHandle });
  const change = (QueueUrl: string, { ReceiptHandle }: sdk.Message, VisibilityTimeout: number) =>
    callForOne(changeBatch, 'ChangeMessageVisibilityBatch', { QueueUrl, ReceiptHandle, VisibilityTimeout });
  const refused = (response: Promise<unknown>, name: string, message?: RegExp) =>
    expect(response).rejects.toMatchObject({
      name,
      ...(message && { message: expect.stringMatching(message) as string }),
    });

  describe('order', () => {
    test('a group is received in the order of sending', async () => {
      const url = await queue();
      for (const body of ['1', '2', '3']) await send(url, 'a', body);
      expect(await bodies(url)).toEqual(['1', '2', '3']);
    });

    test('one receive may mix groups, each in its own order', async () => {
      const url = await queue();
      for (const body of ['a1', 'b1', 'a2', 'b2']) await send(url, body.charAt(0), body);
      expect(await bodies(url)).toEqual(['a1', 'a2', 'b1', 'b2']);
    });

    test('a group gives nothing while one of its messages is in flight', async () => {
      const url = await queue();
      for (const body of ['1', '2', '3']) await send(url, 'a', body);
      const [first = expect.fail('No message was received.'), second = expect.fail('Only one message was received.')] =
        await receive(url, 2);
      await send(url, 'b', 'other');
      expect(await bodies(url)).toEqual(['other']);
      await remove(url, first);
      expect(await bodies(url)).toEqual([]);
      await remove(url, second);
      expect(await bodies(url)).toEqual(['3']);
    });

    test('undeleted messages come again in their places after the visibility timeout', async () => {
      const url = await queue();
      for (const body of ['1', '2', '3', '4']) await send(url, 'a', body);
      const [, second = expect.fail('Only one message was received.')] = await receive(url, 3);
      await remove(url, second);
      clock.advance(29_999);
      expect(await bodies(url)).toEqual([]);
      clock.advance(1);
      expect(await bodies(url)).toEqual(['1', '3', '4']);
    });

    test('a message made visible waits until no message of its group is in flight', async () => {
      const url = await queue();
      for (const body of ['1', '2', '3']) await send(url, 'a', body);
      const [first = expect.fail('No message was received.'), second = expect.fail('Only one message was received.')] =
        await receive(url, 2);
      await change(url, first, 0);
      expect(await bodies(url)).toEqual([]);
      await change(url, second, 0);
      expect(await bodies(url)).toEqual(['1', '2', '3']);
    });

    test('sequence numbers have 20 digits and grow', async () => {
      const url = await queue();
      const numbers: string[] = [];
      for (let count = 0; count < 12; count += 1) {
        const { SequenceNumber = '' } = await send(url, `group-${count % 3}`, 'body');
        expect(SequenceNumber).toMatch(/^\d{20}$/);
        numbers.push(SequenceNumber);
      }
      expect(numbers).toEqual([...new Set(numbers)].sort());
    });

    test('a message carries its group, its deduplication id and its sequence number', async () => {
      const url = await queue();
      const { SequenceNumber, MessageId } = await send(url, 'a', 'body', { MessageDeduplicationId: 'only' });
      const [message] = await receive(url);
      expect(message).toMatchObject({
        MessageId,
        Attributes: {
          SequenceNumber,
          MessageGroupId: 'a',
          MessageDeduplicationId: 'only',
          ApproximateReceiveCount: '1',
        },
      });
    });
  });

  describe('deduplication', () => {
    const once = { MessageDeduplicationId: 'once' };

    test('a deduplication id counts once within five minutes, also after the message was deleted', async () => {
      const url = await queue();
      const first = await send(url, 'a', 'first', once);
      const [message = expect.fail('No message was received.')] = await receive(url);
      await remove(url, message);
      clock.advance(299_999);
      const again = await send(url, 'a', 'second', once);
      expect(again).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber });
      expect(await bodies(url)).toEqual([]);
      clock.advance(1);
      expect((await send(url, 'a', 'third', once)).MessageId).not.toBe(first.MessageId);
      expect(await bodies(url)).toEqual(['third']);
    });

    test('in high-throughput mode a deduplication id counts within its group', async () => {
      const url = await queue();
      await send(url, 'a', 'for a', once);
      await send(url, 'b', 'for b', once);
      expect(await bodies(url)).toEqual(['for a', 'for b']);
    });

    test('without high-throughput mode a deduplication id counts for the whole queue', async () => {
      const url = await queue({ deduplicationScope: 'queue', fifoThroughputLimit: 'perQueue' });
      await send(url, 'a', 'for a', once);
      await send(url, 'b', 'for b', once);
      expect(await bodies(url)).toEqual(['for a']);
    });

    test('with content-based deduplication the body stands for the deduplication id', async () => {
      const url = await queue({ contentBasedDeduplication: true });
      const unnamed = { MessageDeduplicationId: undefined };
      await send(url, 'a', 'same', unnamed);
      await send(url, 'a', 'same', unnamed);
      await send(url, 'a', 'other', unnamed);
      expect(await bodies(url)).toEqual(['same', 'other']);
    });

    test('without content-based deduplication a deduplication id is required', async () => {
      const unnamed = { MessageDeduplicationId: undefined };
      await refused(send(await queue(), 'a', 'body', unnamed), 'InvalidParameterValue', /ContentBasedDeduplication/);
    });
  });

  describe('limits', () => {
    test('a message needs a group', async () => {
      await refused(send(await queue(), undefined, 'body'), 'MissingParameter', /MessageGroupId/);
    });

    test.each(['MessageGroupId', 'MessageDeduplicationId'])(
      '%s has 1 to 128 characters without spaces',
      async (name) => {
        const url = await queue();
        await send(url, 'a', 'body', { [name]: `~!${'x'.repeat(126)}` });
        for (const bad of ['x'.repeat(129), 'a b', 'grün', '']) {
          await refused(send(url, 'a', 'body', { [name]: bad }), 'InvalidParameterValue', new RegExp(name));
        }
      },
    );

    test('a message cannot have a delay of its own', async () => {
      const url = await queue();
      await refused(
        send(url, 'a', 'body', { DelaySeconds: 1 }),
        'InvalidParameterValue',
        /not valid for this queue type/,
      );
    });

    test('a receipt handle whose visibility timeout has passed deletes nothing', async () => {
      const url = await queue();
      await send(url, 'a', 'body');
      const [message = expect.fail('No message was received.')] = await receive(url);
      clock.advance(30_000);
      await refused(remove(url, message), 'InvalidParameterValue', /receipt handle has expired/);
      const [again = expect.fail('No message was received.')] = await receive(url);
      await refused(remove(url, message), 'InvalidParameterValue', /receipt handle has expired/);
      await remove(url, again);
      await remove(url, again);
    });

    test('a refused message of a batch does not affect the others', async () => {
      const url = await queue();
      const entry = (Id: string, group: string | undefined) => ({
        Id,
        MessageBody: Id,
        MessageGroupId: group,
        MessageDeduplicationId: Id,
      });
      const Entries = [entry('one', 'a'), entry('without', undefined), entry('two', 'a')];
      const { Successful = [], Failed } = await target.client.send(
        new sdk.SendMessageBatchCommand({ QueueUrl: url, Entries }),
      );
      expect(Successful.map(({ Id }) => Id)).toEqual(['one', 'two']);
      expect(Failed).toMatchObject([{ Id: 'without', Code: 'MissingParameter', SenderFault: true }]);
      expect(await bodies(url)).toEqual(['one', 'two']);
    });
  });

  describe('redrive and retention', () => {
    test('a message goes to the dead-letter queue after too many receives, with id and group, and its group continues', async () => {
      const dead = await target.createQueue({ fifo: true });
      const url = await queue({ redrivePolicy: { deadLetterTargetArn: dead.arn, maxReceiveCount: 2 } });
      const { MessageId } = await send(url, 'a', 'poison');
      await send(url, 'a', 'next');
      for (let count = 0; count < 2; count += 1) {
        expect(await bodies(url, 1)).toEqual(['poison']);
        clock.advance(30_000);
      }
      expect(await bodies(url)).toEqual(['next']);
      expect(await receive(dead.url)).toMatchObject([
        { MessageId, Body: 'poison', Attributes: { MessageGroupId: 'a' } },
      ]);
    });

    test('a message past its retention period is dropped, and its group continues', async () => {
      const url = await queue({ messageRetentionPeriod: 60 });
      await send(url, 'a', 'old');
      await receive(url);
      clock.advance(30_001);
      await send(url, 'a', 'young');
      clock.advance(29_999);
      expect(await bodies(url)).toEqual(['young']);
    });
  });
});
