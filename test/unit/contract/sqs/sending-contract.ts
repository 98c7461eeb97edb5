import * as sdk from '@aws-sdk/client-sqs';
import { describe, expect } from 'vitest';
import { all, MIB, type Contract } from './contract.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
export function sendingContract({
  promise,
  queue,
  send,
  sendBatch,
  receive,
  receiveOne,
  countsOf,
  refused,
  command,
}: Contract): void {
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
        command((client) => client.send(new sdk.SendMessageCommand({ QueueUrl: url, MessageBody: undefined }))),
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

    promise('enforces a smaller maximum of the queue', async () => {
      const url = await queue({ maximumMessageSize: 1024 });
      await send(url, 'x'.repeat(1024));
      await refused(send(url, 'x'.repeat(1025)), 'InvalidParameterValue');
    });

    const accepted = ['\t\n\r', ' ', '\uD7FF', '\uE000', '\uFFFD', '\u{10000}', '\u{10FFFF}'];
    promise('takes every character that AWS documents, and returns it', async () => {
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
      expect(await countsOf(url)).toMatchObject({ visible: 0, delayed: 1 });
      expect(await receive(url)).toEqual([]);
    });

    promise('refuses a delay of 901 s', async () => {
      await refused(send(await queue(), 'later', { DelaySeconds: 901 }), 'InvalidParameterValue');
    });

    promise('refuses a negative delay', async () => {
      await refused(send(await queue(), 'later', { DelaySeconds: -1 }), 'InvalidParameterValue');
    });

    promise('makes a delayed message visible after its delay', async () => {
      const url = await queue();
      const sentAt = Date.now();
      await send(url, 'later', { DelaySeconds: 1 });
      expect((await receiveOne(url, { WaitTimeSeconds: 5 })).Body).toBe('later');
      expect(Date.now() - sentAt).toBeGreaterThanOrEqual(990);
    });

    promise('takes a message group, for fairness, of up to 128 characters', async () => {
      const url = await queue();
      const MessageGroupId = 'g'.repeat(128);
      await send(url, 'body', { MessageGroupId });
      expect((await receiveOne(url, all)).Attributes).toMatchObject({ MessageGroupId });
    });

    promise('refuses a message group of 129 characters', async () => {
      await refused(send(await queue(), 'body', { MessageGroupId: 'g'.repeat(129) }), 'InvalidParameterValue');
    });

    promise('refuses a message group with a space', async () => {
      await refused(send(await queue(), 'body', { MessageGroupId: 'a b' }), 'InvalidParameterValue');
    });

    promise('refuses a deduplication id on a standard queue', async () => {
      await refused(send(await queue(), 'body', { MessageDeduplicationId: 'once' }), 'InvalidParameterValue');
    });

    promise('carries message attributes of each type', async () => {
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
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, { DataType: 'String', StringValue: 'v' }]));
    promise('takes ten attributes', async () => {
      const url = await queue();
      await send(url, 'body', { MessageAttributes: numbered(10) });
      expect(Object.keys((await receiveOne(url, all)).MessageAttributes ?? {})).toHaveLength(10);
    });

    promise('refuses eleven attributes', async () => {
      await refused(send(await queue(), 'body', { MessageAttributes: numbered(11) }), 'InvalidParameterValue');
    });

    promise('refuses an attribute of an unknown type', async () => {
      const MessageAttributes = { a: { DataType: 'Date', StringValue: 'today' } };
      await refused(send(await queue(), 'body', { MessageAttributes }), 'InvalidParameterValue');
    });
  });

  describe('SendMessageBatch', () => {
    promise('takes ten messages and reports each by its id', async () => {
      const url = await queue();
      const entries = Array.from({ length: 10 }, (_, n) => ({ Id: `m-${n}`, MessageBody: `body ${n}` }));
      const { Successful = [], Failed = [] } = await sendBatch(url, entries);
      expect(Successful.map(({ Id }) => Id)).toEqual(entries.map(({ Id }) => Id));
      expect(Failed).toEqual([]);
      const received = await receive(url, { MaxNumberOfMessages: 10 });
      expect(received.map(({ Body }) => Body).sort()).toEqual(entries.map(({ MessageBody }) => MessageBody).sort());
    });

    promise('takes a batch of 1 MiB', async () => {
      const half = 'x'.repeat(MIB / 2);
      const { Successful } = await sendBatch(await queue(), [
        { Id: 'a', MessageBody: half },
        { Id: 'b', MessageBody: half },
      ]);
      expect(Successful).toHaveLength(2);
    });

    promise('refuses a batch of 1 MiB and a byte', async () => {
      const half = 'x'.repeat(MIB / 2);
      const entries = [
        { Id: 'a', MessageBody: half },
        { Id: 'b', MessageBody: `${half}x` },
      ];
      await refused(sendBatch(await queue(), entries), 'BatchRequestTooLong');
    });

    promise('refuses invalid entries and takes the others', async () => {
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

    promise('refuses an entry above the maximum of the queue and takes the others', async () => {
      const url = await queue({ maximumMessageSize: 1024 });
      const { Successful, Failed } = await sendBatch(url, [
        { Id: 'fits', MessageBody: 'x'.repeat(1024) },
        { Id: 'long', MessageBody: 'x'.repeat(1025) },
      ]);
      expect(Successful).toMatchObject([{ Id: 'fits' }]);
      expect(Failed).toMatchObject([{ Id: 'long', Code: 'InvalidParameterValue', SenderFault: true }]);
    });
  });
}
