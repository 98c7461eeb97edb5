import type * as sdk from '@aws-sdk/client-sqs';
import { describe, expect } from 'vitest';
import { all, type Contract } from './contract.ts';

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html */
export function receivingContract({
  promise,
  queue,
  send,
  sendBatch,
  receive,
  receiveOne,
  change,
  refused,
  createQueue,
}: Contract): void {
  describe('ReceiveMessage', () => {
    promise('gives nothing from an empty queue', async () => {
      expect(await receive(await queue())).toEqual([]);
    });

    promise('gives one message by default', async () => {
      const url = await queue();
      await sendBatch(
        url,
        ['a', 'b', 'c'].map((Id) => ({ Id, MessageBody: Id })),
      );
      expect(await receive(url)).toHaveLength(1);
    });

    promise('refuses a maximum of 0 messages', async () => {
      await refused(receive(await queue(), { MaxNumberOfMessages: 0 }), 'InvalidParameterValue');
    });

    promise('refuses a maximum of 11 messages', async () => {
      await refused(receive(await queue(), { MaxNumberOfMessages: 11 }), 'InvalidParameterValue');
    });

    promise('takes a wait time of at most 20 s', async () => {
      const url = await queue();
      await send(url);
      expect(await receive(url, { WaitTimeSeconds: 20 })).toHaveLength(1);
      await refused(receive(url, { WaitTimeSeconds: 21 }), 'InvalidParameterValue');
    });

    promise('takes a visibility timeout of at most 43,200 s', async () => {
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
      'gives a message again after its visibility timeout, with a higher receive count and the same first receive time',
      async () => {
        const url = await queue({ visibilityTimeout: 3 });
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

    promise('gives a message again at once after a receive without visibility timeout', async () => {
      const url = await queue();
      await send(url);
      await receiveOne(url, { VisibilityTimeout: 0 });
      await receiveOne(url, { WaitTimeSeconds: 5 });
    });

    promise('gives only the requested attributes', async () => {
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

    promise('gives no attributes without a request', async () => {
      const url = await queue();
      await send(url, 'body', { MessageAttributes: { a: { DataType: 'String', StringValue: 'v' } } });
      const { Attributes, MessageAttributes } = await receiveOne(url);
      expect([Attributes, MessageAttributes]).toEqual([undefined, undefined]);
    });

    promise('refuses an unknown attribute name', async () => {
      const name = 'Nonsense' as sdk.MessageSystemAttributeName;
      await refused(receive(await queue(), { MessageSystemAttributeNames: [name] }), 'InvalidAttributeName');
    });

    promise('moves a message to the dead-letter queue after too many receives, with its id', async () => {
      const dead = await createQueue();
      const url = await queue({ redrivePolicy: { deadLetterTargetArn: dead.arn, maxReceiveCount: 2 } });
      const { MessageId } = await send(url, 'poison');
      for (let count = 0; count < 2; count += 1) {
        const { ReceiptHandle } = await receiveOne(url);
        await change(url, ReceiptHandle, 0);
      }
      expect(await receive(url)).toEqual([]);
      expect(await receiveOne(dead.url)).toMatchObject({ MessageId, Body: 'poison' });
    });

    promise('counts the receives of a message on in its dead-letter queue', async () => {
      const dead = await createQueue();
      const url = await queue({ redrivePolicy: { deadLetterTargetArn: dead.arn, maxReceiveCount: 2 } });
      await send(url, 'poison');
      for (let count = 0; count < 2; count += 1) await change(url, (await receiveOne(url)).ReceiptHandle, 0);
      expect(await receive(url)).toEqual([]);
      const { Attributes } = await receiveOne(dead.url, { MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
      // AWS does not say whether the move counts.
      expect(['3', '4']).toContain(Attributes?.ApproximateReceiveCount);
    });
  });
}
