import type { SQSEvent, SQSMessageAttributes, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import { DIGEST_BYTES, MARK_BYTES, withDigest, withoutDigest } from './digest.ts';

/** A received message as `ReceiveMessage` answers it. */
export interface ReceivedMessage {
  readonly MessageId: string;
  readonly ReceiptHandle: string;
  readonly Body: string;
  readonly Attributes?: Readonly<Record<string, string>>;
  readonly MessageAttributes?: Readonly<
    Record<string, { readonly DataType: string; readonly StringValue?: string; readonly BinaryValue?: Uint8Array }>
  >;
}

/** The invocation payload of a function. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const MAX_PAYLOAD_BYTES = 6 << 20;
/** SQS refuses what JSON writes in six; a UTF-16 unit it takes is at most three bytes. The rest stays far below one. */
const CERTAINLY_FITS_UNITS = MAX_PAYLOAD_BYTES / 4;

/** https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html#example-standard-queue-message-event */
function sqsRecord(message: ReceivedMessage, queueArn: string): SQSRecord {
  return withDigest({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: { ...message.Attributes } as Partial<SQSRecordAttributes> as SQSRecordAttributes,
    messageAttributes: messageAttributes(message),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  });
}

function messageAttributes({ MessageAttributes }: ReceivedMessage): SQSMessageAttributes {
  if (!MessageAttributes) return {};
  const entries = Object.entries(MessageAttributes).map(([name, { DataType, StringValue, BinaryValue }]) => [
    name,
    {
      ...(StringValue !== undefined && { stringValue: StringValue }),
      ...(BinaryValue && { binaryValue: Buffer.from(BinaryValue).toString('base64') }),
      stringListValues: [],
      binaryListValues: [],
      dataType: DataType,
    },
  ]);
  return Object.fromEntries(entries) as SQSMessageAttributes;
}

/** As many of the messages, from the first on, as one invocation's payload holds; at least one. */
export function fitEvent(messages: readonly ReceivedMessage[], queueArn: string): SQSEvent {
  const records = messages.map((message) => sqsRecord(message, queueArn));
  const units = messages.reduce((sum, { Body }) => sum + Body.length, 0);
  if (units < CERTAINLY_FITS_UNITS) return { Records: records };
  let size = '{"Records":[]}'.length;
  const fitting = records.findIndex((record) => {
    size += Buffer.byteLength(JSON.stringify(withoutDigest(record))) + DIGEST_BYTES - MARK_BYTES + 1;
    return size > MAX_PAYLOAD_BYTES;
  });
  return { Records: fitting < 0 ? records : records.slice(0, Math.max(fitting, 1)) };
}
