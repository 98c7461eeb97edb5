import type { AwsError } from '../../../infra/embedded/call.ts';
import { isRecord } from '../../../infra/embedded/sqs/input.ts';
import type { JsonCodec } from './aws-json.ts';

/** SQS on the wire: AWS JSON with binary message attributes and the error code of the former query API in a header. */
export const sqsCodec: JsonCodec = {
  decode(operation, json) {
    if (operation === 'SendMessage') return decodeAttributes(json);
    if (operation !== 'SendMessageBatch' || !Array.isArray(json['Entries'])) return json;
    const Entries = json['Entries'].map((entry: unknown) => (isRecord(entry) ? decodeAttributes(entry) : entry));
    return { ...json, Entries };
  },
  errorHeaders: (error) => ({ 'x-amzn-query-error': queryError(error) }),
};

function decodeAttributes(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { MessageAttributes } = input;
  if (!isRecord(MessageAttributes)) return { ...input };
  const decoded = Object.entries(MessageAttributes).map(([name, attribute]) => {
    if (!isRecord(attribute) || typeof attribute['BinaryValue'] !== 'string') return [name, attribute];
    return [name, { ...attribute, BinaryValue: Buffer.from(attribute['BinaryValue'], 'base64') }];
  });
  return { ...input, MessageAttributes: Object.fromEntries(decoded) };
}

/**
 * Codes of the former query API, which clients still read from `x-amzn-query-error`, where they differ from the error's
 * name.
 */
const queryCodes: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
};

const queryError = ({ name, fault }: AwsError): string =>
  `${queryCodes[name] ?? name};${fault === 'client' ? 'Sender' : 'Receiver'}`;
