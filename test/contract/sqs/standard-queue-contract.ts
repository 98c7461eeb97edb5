import * as sdk from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewQueue, Target } from './targets.ts';

export interface ContractOptions {
  readonly open: () => Promise<Target>;
  /** Promises this target is known to break, by the test's title. Such a test must fail, or it leaves the list. */
  readonly differences?: ReadonlySet<string>;
}

const MIB = 1_048_576;
const all = { MessageSystemAttributeNames: ['All' as const], MessageAttributeNames: ['All'] };

/** What a standard queue promises, whoever answers. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/ */
export function standardQueueContract({ open, differences = new Set() }: ContractOptions): void {
  let target: Target;
  beforeAll(async () => {
    target = await open();
  });
  afterAll(() => target.close());

  const promise = (title: string, body: () => Promise<void>) => {
    if (differences.has(title)) test.fails(title, body);
    else test(title, body);
  };

  const queue = async (spec?: NewQueue) => (await target.createQueue(spec)).url;
  const send = (QueueUrl: string, MessageBody = 'body', more: Partial<sdk.SendMessageCommandInput> = {}) =>
    target.client.send(new sdk.SendMessageCommand({ QueueUrl, MessageBody, ...more }));
  const sendBatch = (QueueUrl: string, Entries: sdk.SendMessageBatchRequestEntry[]) =>
    target.client.send(new sdk.SendMessageBatchCommand({ QueueUrl, Entries }));
  const receive = async (QueueUrl: string, more: Partial<sdk.ReceiveMessageCommandInput> = {}) => {
    const output = await target.client.send(new sdk.ReceiveMessageCommand({ QueueUrl, ...more }));
    return output.Messages ?? [];
  };
  const receiveOne = async (QueueUrl: string, more: Partial<sdk.ReceiveMessageCommandInput> = {}) => {
    const [message] = await receive(QueueUrl, more);
    return message ?? expect.fail('nothing was received');
  };
  const remove = (QueueUrl: string, ReceiptHandle: string | undefined) =>
    target.client.send(new sdk.DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  const change = (
    QueueUrl: string,
    ReceiptHandle: string | undefined,
    VisibilityTimeout: number | undefined,
  ) =>
    target.client.send(
      new sdk.ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }),
    );
  const attributes = async (QueueUrl: string, ...AttributeNames: sdk.QueueAttributeName[]) => {
    const output = await target.client.send(new sdk.GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
    return output.Attributes ?? {};
  };
  /** By name; the oracle gives errors without a model their query-era prefix. */
  const refused = async (answer: Promise<unknown>, name: string) => {
    const error: unknown = await answer
      .then(() => expect.fail(`it was not refused with ${name}`))
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).name.replace('AWS.SimpleQueueService.', '')).toBe(name);
  };

  describe('SendMessage', () => {
    promise('gives each message an id of its own', async () => {
      const url = await queue();
      const [one, two] = [await send(url), await send(url)];
      expect(one.MessageId).toMatch(/^[0-9a-f-]{36}$/);
      expect(two.MessageId).not.toBe(one.MessageId);
      expect(one.MD5OfMessageBody).toBe('841a2d689ad86bd1611447453c22c6fc');
    });

    promise('refuses a message without body', async () => {
      const url = await queue();
      await refused(
        target.client.send(new sdk.SendMessageCommand({ QueueUrl: url, MessageBody: undefined })),
        'MissingParameter',
      );
    });

    promise('refuses an empty body', async () => {
      await refused(send(await queue(), ''), 'MissingParameter');
    });

    promise('takes 1 MiB', async () => {
      const url = await queue();
      await send(url, 'x'.repeat(MIB));
      expect((await receiveOne(url)).Body).toHaveLength(MIB);
    });

    promise('refuses 1 MiB and a byte', async () => {
      await refused(send(await queue(), 'x'.repeat(MIB + 1)), 'InvalidParameterValue');
    });

    promise('counts bytes, not characters', async () => {
      const url = await queue();
      await send(url, 'ü'.repeat(MIB / 2));
      await refused(send(url, `${'ü'.repeat(MIB / 2)}x`), 'InvalidParameterValue');
    });

    promise('counts names, types and values of attributes', async () => {
      const url = await queue();
      const MessageAttributes = { four: { DataType: 'String', StringValue: 'value' } };
      const counted = 'four'.length + 'String'.length + 'value'.length;
      await send(url, 'x'.repeat(MIB - counted), { MessageAttributes });
      await refused(send(url, 'x'.repeat(MIB - counted + 1), { MessageAttributes }), 'InvalidParameterValue');
    });

    promise('holds a smaller maximum of the queue', async () => {
      const url = await queue({ maximumMessageSize: 1024 });
      await send(url, 'x'.repeat(1024));
      await refused(send(url, 'x'.repeat(1025)), 'InvalidParameterValue');
    });

    const accepted = ['\t\n\r', ' ', '\uD7FF', '\uE000', '\uFFFD', '\u{10000}', '\u{10FFFF}'];
    promise('takes every character AWS documents, and gives it back', async () => {
      const url = await queue();
      await send(url, accepted.join(''));
      expect((await receiveOne(url)).Body).toBe(accepted.join(''));
    });

    for (const code of [0x0, 0x8, 0xb, 0xc, 0xe, 0x1f, 0xfffe, 0xffff]) {
      promise(`refuses the character #x${code.toString(16)}`, async () => {
        await refused(send(await queue(), `a${String.fromCharCode(code)}`), 'InvalidMessageContents');
      });
    }

    promise('takes a delay of 900 s', async () => {
      const url = await queue();
      await send(url, 'later', { DelaySeconds: 900 });
      expect(await attributes(url, 'All')).toMatchObject({
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesDelayed: '1',
      });
      expect(await receive(url)).toEqual([]);
    });

    promise('refuses a delay of 901 s', async () => {
      await refused(send(await queue(), 'later', { DelaySeconds: 901 }), 'InvalidParameterValue');
    });

    promise('refuses a negative delay', async () => {
      await refused(send(await queue(), 'later', { DelaySeconds: -1 }), 'InvalidParameterValue');
    });

    promise('shows a delayed message when its delay has passed', async () => {
      const url = await queue();
      const sentAt = Date.now();
      await send(url, 'later', { DelaySeconds: 1 });
      expect((await receiveOne(url, { WaitTimeSeconds: 5 })).Body).toBe('later');
      expect(Date.now() - sentAt).toBeGreaterThanOrEqual(990);
    });

    promise('delays by the queue unless the message says otherwise', async () => {
      const url = await queue({ delaySeconds: 600 });
      await send(url, 'by the queue');
      await send(url, 'at once', { DelaySeconds: 0 });
      expect((await receive(url, { MaxNumberOfMessages: 10 })).map(({ Body }) => Body)).toEqual(['at once']);
    });

    promise('takes a message group, for fairness, of up to 128 characters', async () => {
      const url = await queue();
      const MessageGroupId = 'g'.repeat(128);
      await send(url, 'body', { MessageGroupId });
      expect((await receiveOne(url, all)).Attributes).toMatchObject({ MessageGroupId });
    });

    promise('refuses a message group of 129 characters', async () => {
      await refused(
        send(await queue(), 'body', { MessageGroupId: 'g'.repeat(129) }),
        'InvalidParameterValue',
      );
    });

    promise('refuses a message group with a space', async () => {
      await refused(send(await queue(), 'body', { MessageGroupId: 'a b' }), 'InvalidParameterValue');
    });

    promise('refuses a deduplication id on a standard queue', async () => {
      await refused(send(await queue(), 'body', { MessageDeduplicationId: 'once' }), 'InvalidParameterValue');
    });

    promise('carries attributes of each type', async () => {
      const url = await queue();
      const MessageAttributes = {
        text: { DataType: 'String', StringValue: 'grün' },
        count: { DataType: 'Number.int', StringValue: '7' },
        bytes: { DataType: 'Binary', BinaryValue: Uint8Array.of(0, 255) },
      };
      await send(url, 'body', { MessageAttributes });
      const { MessageAttributes: received } = await receiveOne(url, all);
      expect(received).toMatchObject({ text: MessageAttributes.text, count: MessageAttributes.count });
      expect([...(received?.['bytes']?.BinaryValue ?? [])]).toEqual([0, 255]);
    });

    const numbered = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`a${n}`, { DataType: 'String', StringValue: 'v' }]),
      );
    promise('takes ten attributes', async () => {
      const url = await queue();
      await send(url, 'body', { MessageAttributes: numbered(10) });
      expect(Object.keys((await receiveOne(url, all)).MessageAttributes ?? {})).toHaveLength(10);
    });

    promise('refuses eleven attributes', async () => {
      await refused(
        send(await queue(), 'body', { MessageAttributes: numbered(11) }),
        'InvalidParameterValue',
      );
    });

    promise('refuses an attribute of an unknown type', async () => {
      const MessageAttributes = { a: { DataType: 'Date', StringValue: 'today' } };
      await refused(send(await queue(), 'body', { MessageAttributes }), 'InvalidParameterValue');
    });
  });

  describe('SendMessageBatch', () => {
    promise('takes ten messages and answers each by its id', async () => {
      const url = await queue();
      const entries = Array.from({ length: 10 }, (_, n) => ({ Id: `m-${n}`, MessageBody: `body ${n}` }));
      const { Successful = [], Failed = [] } = await sendBatch(url, entries);
      expect(Successful.map(({ Id }) => Id)).toEqual(entries.map(({ Id }) => Id));
      expect(Failed).toEqual([]);
      const received = await receive(url, { MaxNumberOfMessages: 10 });
      expect(received.map(({ Body }) => Body).sort()).toEqual(
        entries.map(({ MessageBody }) => MessageBody).sort(),
      );
    });

    promise('takes 1 MiB in all', async () => {
      const half = 'x'.repeat(MIB / 2);
      const { Successful } = await sendBatch(await queue(), [
        { Id: 'a', MessageBody: half },
        { Id: 'b', MessageBody: half },
      ]);
      expect(Successful).toHaveLength(2);
    });

    promise('refuses 1 MiB and a byte in all', async () => {
      const half = 'x'.repeat(MIB / 2);
      const entries = [
        { Id: 'a', MessageBody: half },
        { Id: 'b', MessageBody: `${half}x` },
      ];
      await refused(sendBatch(await queue(), entries), 'BatchRequestTooLong');
    });

    promise('refuses single entries and takes the rest', async () => {
      const url = await queue();
      const { Successful = [], Failed = [] } = await sendBatch(url, [
        { Id: 'good', MessageBody: 'good' },
        { Id: 'late', MessageBody: 'late', DelaySeconds: 901 },
        { Id: 'control', MessageBody: '\u0000' },
      ]);
      expect(Successful.map(({ Id }) => Id)).toEqual(['good']);
      expect(Failed.map(({ Id, Code, SenderFault }) => ({ Id, Code, SenderFault }))).toEqual([
        { Id: 'late', Code: 'InvalidParameterValue', SenderFault: true },
        { Id: 'control', Code: 'InvalidMessageContents', SenderFault: true },
      ]);
    });

    promise('refuses an entry above the maximum of the queue and takes the rest', async () => {
      const url = await queue({ maximumMessageSize: 1024 });
      const { Successful, Failed } = await sendBatch(url, [
        { Id: 'fits', MessageBody: 'x'.repeat(1024) },
        { Id: 'long', MessageBody: 'x'.repeat(1025) },
      ]);
      expect(Successful).toMatchObject([{ Id: 'fits' }]);
      expect(Failed).toMatchObject([{ Id: 'long', Code: 'InvalidParameterValue', SenderFault: true }]);
    });
  });

  const batches = {
    SendMessageBatch: (url: string, ids: string[]) =>
      sendBatch(
        url,
        ids.map((Id) => ({ Id, MessageBody: 'body' })),
      ),
    DeleteMessageBatch: (QueueUrl: string, ids: string[]) => {
      const Entries = ids.map((Id) => ({ Id, ReceiptHandle: 'handle' }));
      return target.client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl, Entries }));
    },
    ChangeMessageVisibilityBatch: (QueueUrl: string, ids: string[]) => {
      const Entries = ids.map((Id) => ({ Id, ReceiptHandle: 'handle', VisibilityTimeout: 1 }));
      return target.client.send(new sdk.ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    },
  };
  const ids = (count: number) => Array.from({ length: count }, (_, n) => `e${n}`);

  for (const [operation, callBatch] of Object.entries(batches)) {
    describe(operation, () => {
      promise(`${operation} refuses an empty batch`, async () => {
        await refused(callBatch(await queue(), []), 'EmptyBatchRequest');
      });

      promise(`${operation} refuses eleven entries`, async () => {
        await refused(callBatch(await queue(), ids(11)), 'TooManyEntriesInBatchRequest');
      });

      promise(`${operation} refuses an id that occurs twice`, async () => {
        await refused(callBatch(await queue(), ['a', 'b', 'a']), 'BatchEntryIdsNotDistinct');
      });

      promise(`${operation} takes an id of 80 characters`, async () => {
        const { Successful = [], Failed = [] } = await callBatch(await queue(), ['x'.repeat(80)]);
        expect([...Successful, ...Failed]).toHaveLength(1);
      });

      for (const id of ['x'.repeat(81), 'a.b', 'a b']) {
        promise(`${operation} refuses the id ${id}`, async () => {
          await refused(callBatch(await queue(), [id]), 'InvalidBatchEntryId');
        });
      }
    });
  }

  describe('ReceiveMessage', () => {
    promise('gives nothing from an empty queue', async () => {
      expect(await receive(await queue())).toEqual([]);
    });

    promise('gives one message unless asked for more', async () => {
      const url = await queue();
      await sendBatch(
        url,
        ids(3).map((Id) => ({ Id, MessageBody: Id })),
      );
      expect(await receive(url)).toHaveLength(1);
    });

    promise('refuses to give none', async () => {
      await refused(receive(await queue(), { MaxNumberOfMessages: 0 }), 'InvalidParameterValue');
    });

    promise('refuses to give eleven', async () => {
      await refused(receive(await queue(), { MaxNumberOfMessages: 11 }), 'InvalidParameterValue');
    });

    promise('waits at most 20 s', async () => {
      const url = await queue();
      await send(url);
      expect(await receive(url, { WaitTimeSeconds: 20 })).toHaveLength(1);
      await refused(receive(url, { WaitTimeSeconds: 21 }), 'InvalidParameterValue');
    });

    promise('hides a message at most 43,200 s', async () => {
      const url = await queue();
      await send(url);
      expect(await receive(url, { VisibilityTimeout: 43_200 })).toHaveLength(1);
      await refused(receive(url, { VisibilityTimeout: 43_201 }), 'InvalidParameterValue');
    });

    promise('answers a waiting receive as soon as a message arrives', async () => {
      const url = await queue();
      const waiting = receiveOne(url, { WaitTimeSeconds: 20 });
      await send(url, 'at last');
      expect((await waiting).Body).toBe('at last');
    });

    promise(
      'gives a message again after its visibility timeout, counted, its first receive unchanged',
      async () => {
        const url = await queue({ visibilityTimeout: 1 });
        await send(url);
        const first = await receiveOne(url, all);
        expect(await receive(url)).toEqual([]);
        const second = await receiveOne(url, { ...all, WaitTimeSeconds: 5 });
        expect(second.MessageId).toBe(first.MessageId);
        expect(first.Attributes).toMatchObject({ ApproximateReceiveCount: '1' });
        expect(second.Attributes).toMatchObject({
          ApproximateReceiveCount: '2',
          ApproximateFirstReceiveTimestamp: first.Attributes?.ApproximateFirstReceiveTimestamp,
          SentTimestamp: first.Attributes?.SentTimestamp,
        });
        expect(second.ReceiptHandle).not.toBe(first.ReceiptHandle);
      },
    );

    promise('gives a message again at once when received with no timeout', async () => {
      const url = await queue();
      await send(url);
      await receiveOne(url, { VisibilityTimeout: 0 });
      await receiveOne(url, { WaitTimeSeconds: 5 });
    });

    promise('gives only the attributes that are asked for', async () => {
      const url = await queue();
      const MessageAttributes = {
        wanted: { DataType: 'String', StringValue: '1' },
        'kin.one': { DataType: 'String', StringValue: '2' },
        other: { DataType: 'String', StringValue: '3' },
      };
      await send(url, 'body', { MessageAttributes });
      const message = await receiveOne(url, {
        MessageSystemAttributeNames: ['SentTimestamp'],
        MessageAttributeNames: ['wanted', 'kin.*'],
      });
      expect(Object.keys(message.Attributes ?? {})).toEqual(['SentTimestamp']);
      expect(Object.keys(message.MessageAttributes ?? {}).sort()).toEqual(['kin.one', 'wanted']);
    });

    promise('gives no attributes unasked', async () => {
      const url = await queue();
      await send(url, 'body', { MessageAttributes: { a: { DataType: 'String', StringValue: 'v' } } });
      const { Attributes, MessageAttributes } = await receiveOne(url);
      expect([Attributes, MessageAttributes]).toEqual([undefined, undefined]);
    });

    promise('refuses an unknown attribute name', async () => {
      const name = 'Nonsense' as sdk.MessageSystemAttributeName;
      await refused(receive(await queue(), { MessageSystemAttributeNames: [name] }), 'InvalidAttributeName');
    });

    promise('moves a message received too often to the dead-letter queue, with its id', async () => {
      const dead = await target.createQueue();
      const url = await queue({ redrivePolicy: { deadLetterTargetArn: dead.arn, maxReceiveCount: 2 } });
      const { MessageId } = await send(url, 'poison');
      for (let count = 0; count < 2; count += 1) {
        const { ReceiptHandle } = await receiveOne(url);
        await change(url, ReceiptHandle, 0);
      }
      expect(await receive(url)).toEqual([]);
      expect(await receiveOne(dead.url)).toMatchObject({ MessageId, Body: 'poison' });
    });
  });

  describe('DeleteMessage', () => {
    promise('deletes for good', async () => {
      const url = await queue({ visibilityTimeout: 0 });
      await send(url);
      await remove(url, (await receiveOne(url)).ReceiptHandle);
      expect(await receive(url)).toEqual([]);
    });

    promise('may be repeated', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await remove(url, ReceiptHandle);
      await remove(url, ReceiptHandle);
    });

    promise('accepts an older receipt without deleting', async () => {
      const url = await queue();
      await send(url);
      const old = await receiveOne(url, { VisibilityTimeout: 0 });
      const { ReceiptHandle } = await receiveOne(url, { WaitTimeSeconds: 5 });
      await remove(url, old.ReceiptHandle);
      await change(url, ReceiptHandle, 0);
      await receiveOne(url);
    });

    promise('deletes after the visibility timeout too', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url, { VisibilityTimeout: 0 });
      await remove(url, ReceiptHandle);
      expect(await receive(url)).toEqual([]);
    });

    promise('refuses what is no receipt', async () => {
      await refused(remove(await queue(), 'nonsense'), 'ReceiptHandleIsInvalid');
    });

    promise("refuses another queue's receipt", async () => {
      const url = await queue();
      await send(url);
      await refused(remove(await queue(), (await receiveOne(url)).ReceiptHandle), 'ReceiptHandleIsInvalid');
    });

    promise('refuses to delete nothing in particular', async () => {
      await refused(remove(await queue(), undefined), 'MissingParameter');
    });
  });

  describe('DeleteMessageBatch', () => {
    promise('deletes what it can and names the rest', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      const Entries = [
        { Id: 'good', ReceiptHandle },
        { Id: 'bad', ReceiptHandle: 'nonsense' },
      ];
      const output = await target.client.send(new sdk.DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
      expect(output.Successful).toEqual([{ Id: 'good' }]);
      expect(output.Failed).toMatchObject([{ Id: 'bad', SenderFault: true, Code: 'ReceiptHandleIsInvalid' }]);
    });
  });

  describe('ChangeMessageVisibility', () => {
    promise('shows a message at once with 0', async () => {
      const url = await queue();
      await send(url);
      await change(url, (await receiveOne(url)).ReceiptHandle, 0);
      await receiveOne(url);
    });

    promise('starts a new timeout', async () => {
      const url = await queue({ visibilityTimeout: 1 });
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 600);
      expect(await receive(url, { WaitTimeSeconds: 2 })).toEqual([]);
    });

    promise('hides for at most 43,200 s', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 43_199);
      await refused(change(url, ReceiptHandle, 43_201), 'InvalidParameterValue');
      await refused(change(url, ReceiptHandle, -1), 'InvalidParameterValue');
    });

    promise('refuses a message that is not in flight', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await change(url, ReceiptHandle, 0);
      await refused(change(url, ReceiptHandle, 10), 'MessageNotInflight');
    });

    promise('refuses a message that was deleted', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      await remove(url, ReceiptHandle);
      await refused(change(url, ReceiptHandle, 10), 'InvalidParameterValue');
    });

    promise('refuses a receipt it did not give', async () => {
      await refused(change(await queue(), 'nonsense', 10), 'ReceiptHandleIsInvalid');
    });

    promise('needs a receipt', async () => {
      await refused(change(await queue(), undefined, 10), 'MissingParameter');
    });

    promise('needs a timeout', async () => {
      const url = await queue();
      await send(url);
      await refused(change(url, (await receiveOne(url)).ReceiptHandle, undefined), 'MissingParameter');
    });
  });

  describe('ChangeMessageVisibilityBatch', () => {
    promise('changes what it can and names the rest', async () => {
      const url = await queue();
      await send(url);
      const { ReceiptHandle } = await receiveOne(url);
      const Entries = [
        { Id: 'good', ReceiptHandle, VisibilityTimeout: 0 },
        { Id: 'bad', ReceiptHandle: 'nonsense', VisibilityTimeout: 0 },
        { Id: 'long', ReceiptHandle, VisibilityTimeout: 43_201 },
      ];
      const command = new sdk.ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries });
      const output = await target.client.send(command);
      expect(output.Successful).toEqual([{ Id: 'good' }]);
      expect(output.Failed).toMatchObject([
        { Id: 'bad', SenderFault: true, Code: 'ReceiptHandleIsInvalid' },
        { Id: 'long', SenderFault: true, Code: 'InvalidParameterValue' },
      ]);
      await receiveOne(url);
    });
  });

  describe('GetQueueAttributes', () => {
    promise('counts what is visible, in flight and delayed', async () => {
      const url = await queue();
      await send(url, 'visible');
      await send(url, 'received');
      await send(url, 'later', { DelaySeconds: 600 });
      await receiveOne(url);
      expect(await attributes(url, 'All')).toMatchObject({
        ApproximateNumberOfMessages: '1',
        ApproximateNumberOfMessagesNotVisible: '1',
        ApproximateNumberOfMessagesDelayed: '1',
      });
    });

    promise('gives the settings of the queue', async () => {
      const { url, arn } = await target.createQueue({ visibilityTimeout: 77, delaySeconds: 5 });
      expect(await attributes(url, 'All')).toMatchObject({
        QueueArn: arn,
        VisibilityTimeout: '77',
        DelaySeconds: '5',
        MessageRetentionPeriod: '345600',
        MaximumMessageSize: '1048576',
        ReceiveMessageWaitTimeSeconds: '0',
      });
    });

    promise('gives only what is asked for', async () => {
      expect(Object.keys(await attributes(await queue(), 'QueueArn'))).toEqual(['QueueArn']);
    });

    promise('refuses an unknown queue attribute', async () => {
      await refused(attributes(await queue(), 'Nonsense' as sdk.QueueAttributeName), 'InvalidAttributeName');
    });
  });

  describe('GetQueueUrl', () => {
    promise('gives the address under which the queue answers', async () => {
      const { url, name } = await target.createQueue();
      const { QueueUrl } = await target.client.send(new sdk.GetQueueUrlCommand({ QueueName: name }));
      expect(QueueUrl).toBe(url);
    });

    promise('refuses a name that no queue has', async () => {
      await refused(
        target.client.send(new sdk.GetQueueUrlCommand({ QueueName: 'nowhere' })),
        'QueueDoesNotExist',
      );
    });
  });

  describe('PurgeQueue', () => {
    promise('deletes everything, in flight and delayed too', async () => {
      const url = await queue();
      await send(url, 'received');
      await receiveOne(url);
      await send(url, 'waiting');
      await send(url, 'delayed', { DelaySeconds: 600 });
      await target.client.send(new sdk.PurgeQueueCommand({ QueueUrl: url }));
      expect(await attributes(url, 'All')).toMatchObject({
        ApproximateNumberOfMessages: '0',
        ApproximateNumberOfMessagesNotVisible: '0',
        ApproximateNumberOfMessagesDelayed: '0',
      });
    });

    promise('refuses a second purge within 60 s', async () => {
      const url = await queue();
      await target.client.send(new sdk.PurgeQueueCommand({ QueueUrl: url }));
      await refused(target.client.send(new sdk.PurgeQueueCommand({ QueueUrl: url })), 'PurgeQueueInProgress');
    });
  });

  describe('a queue that does not exist', () => {
    const commands: Record<string, (QueueUrl: string) => Promise<unknown>> = {
      SendMessage: (QueueUrl) => send(QueueUrl),
      ReceiveMessage: (QueueUrl) => receive(QueueUrl),
      DeleteMessage: (QueueUrl) => remove(QueueUrl, 'handle'),
      ChangeMessageVisibility: (QueueUrl) => change(QueueUrl, 'handle', 1),
      GetQueueAttributes: (QueueUrl) => attributes(QueueUrl, 'All'),
      PurgeQueue: (QueueUrl) => target.client.send(new sdk.PurgeQueueCommand({ QueueUrl })),
      ...Object.fromEntries(
        Object.entries(batches).map(([name, callBatch]) => [name, (url: string) => callBatch(url, ['a'])]),
      ),
    };
    for (const [operation, command] of Object.entries(commands)) {
      promise(`refuses ${operation}`, async () => {
        const url = (await queue()).replace(/[^/]+$/, 'nowhere');
        await refused(command(url), 'QueueDoesNotExist');
      });
    }
  });
}
