import type { SQSRecord } from 'aws-lambda';
import { type QueueOptions, sendAll } from '../queues.ts';

/**
 * Moves messages to the dead-letter queue; the caller then acknowledges them. A repetition leaves a second dead letter
 * at most.
 */
export type SetAside = (records: readonly LetterSource[]) => Promise<void>;

type LetterSource = Pick<SQSRecord, 'body' | 'messageId'> & {
  attributes: SQSRecord['attributes'] | { MessageGroupId: string; SequenceNumber: string };
};

/** `queueUrl` is the dead-letter queue. */
export const createSetAside =
  (options: QueueOptions): SetAside =>
  (records) =>
    sendAll(options, records.map(letterOf));

/**
 * A standard queue takes a group and refuses a deduplication id. Only messages of a FIFO queue have a sequence number.
 */
const letterOf = ({ body, messageId, attributes }: LetterSource) => ({
  body,
  ...(attributes.MessageGroupId === undefined ? {} : { groupId: attributes.MessageGroupId }),
  ...(attributes.SequenceNumber === undefined ? {} : { deduplicationId: messageId }),
});
