import { createHash } from 'node:crypto';
import type { MessageAttributes } from './queue/message.ts';

export const md5OfBody = (body: string): string => createHash('md5').update(body).digest('hex');

/**
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-message-metadata.html#sqs-attributes-md5-message-digest-calculation
 */
export function md5OfAttributes(attributes: MessageAttributes): string {
  const hash = createHash('md5');
  const add = (bytes: Uint8Array) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    hash.update(length).update(bytes);
  };
  for (const [name, { DataType, StringValue, BinaryValue }] of Object.entries(attributes).sort(byName)) {
    add(Buffer.from(name));
    add(Buffer.from(DataType));
    hash.update(Uint8Array.of(StringValue === undefined ? 2 : 1));
    add(StringValue === undefined ? (BinaryValue ?? new Uint8Array()) : Buffer.from(StringValue));
  }
  return hash.digest('hex');
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);
