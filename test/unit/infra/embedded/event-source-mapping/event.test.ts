import { afterEach, describe, expect, test } from 'vitest';
import { closeAll, mapped } from './mapped-queue.ts';
import { isEmpty, numbers } from './wait.ts';

afterEach(closeAll);

describe('the event', () => {
  test("is SQS's, whole", async () => {
    const queue = await mapped({ worker: () => undefined });
    const { MessageId } = await queue.call('SendMessage', {
      MessageBody: 'body',
      MessageGroupId: 'fair',
      MessageAttributes: {
        text: { DataType: 'String', StringValue: 'value' },
        bytes: { DataType: 'Binary', BinaryValue: Uint8Array.of(1, 2) },
      },
    });
    queue.clock.advance(5);
    queue.start();
    await isEmpty(queue);
    const [{ event } = expect.fail('nothing was invoked')] = queue.invocations;
    const sentAt = queue.clock.now() - 5;
    expect(JSON.parse(JSON.stringify(event))).toEqual({
      Records: [
        {
          messageId: MessageId,
          receiptHandle: expect.stringMatching(/^AQEB/) as string,
          body: 'body',
          attributes: {
            SenderId: 'Sender',
            SentTimestamp: String(sentAt),
            ApproximateReceiveCount: '1',
            ApproximateFirstReceiveTimestamp: String(sentAt + 5),
            MessageGroupId: 'fair',
          },
          messageAttributes: {
            text: { stringValue: 'value', stringListValues: [], binaryListValues: [], dataType: 'String' },
            bytes: { binaryValue: 'AQI=', stringListValues: [], binaryListValues: [], dataType: 'Binary' },
          },
          md5OfBody: '841a2d689ad86bd1611447453c22c6fc',
          eventSource: 'aws:sqs',
          eventSourceARN: queue.arn,
          awsRegion: 'us-east-1',
        },
      ],
    });
  });

  test('of a FIFO queue also has sequence number, group and deduplication id', async () => {
    const queue = await mapped({ queue: { fifo: true }, worker: () => undefined });
    queue.start();
    await queue.sendTo('a', 'body');
    await isEmpty(queue);
    expect(queue.invocations[0]?.event.Records[0]?.attributes).toMatchObject({
      SequenceNumber: expect.stringMatching(/^\d{20}$/) as string,
      MessageGroupId: 'a',
      MessageDeduplicationId: '1',
    });
  });

  test('stays below 6 MB, and what did not fit comes in another', async () => {
    const queue = await mapped({ worker: () => undefined });
    const body = (n: number) => String(n) + '"'.repeat(1_000_000);
    for (let n = 0; n < 10; n += 1) await queue.send(body(n));
    queue.start();
    await isEmpty(queue);
    for (const { event } of queue.invocations) {
      expect(Buffer.byteLength(JSON.stringify(event))).toBeLessThanOrEqual(6 << 20);
    }
    const received = queue.invocations.flatMap(({ bodies }) => bodies.map((text) => text.charAt(0)));
    expect(received.sort()).toEqual(numbers(10));
    expect(Math.max(...queue.invocations.map(({ bodies }) => bodies.length))).toBeGreaterThan(1);
  });
});
