import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { describeError, errorName, type Log } from './log.ts';

export interface QueueMessage<M> {
  message: M;
  record: SQSRecord;
}

/** The batch response: messages with these ids are received again. */
export const failing = (ids: Iterable<string>): SQSBatchResponse => ({
  batchItemFailures: [...ids].map((itemIdentifier) => ({ itemIdentifier })),
});

/**
 * Parses the messages of a batch. Unreadable messages are received again until SQS moves them to the dead-letter queue. Their log line has
 * only the name of the error, because its text may quote the body.
 */
export function parseBatch<M>(
  event: SQSEvent,
  parse: (body: string) => M,
  log: Log,
): { messages: QueueMessage<M>[]; unreadable: SQSRecord[] } {
  const messages: QueueMessage<M>[] = [];
  const unreadable: SQSRecord[] = [];
  for (const record of event.Records) {
    try {
      messages.push({ message: parse(record.body), record });
    } catch (error) {
      unreadable.push(record);
      log.error('message.unreadable', { messageId: record.messageId, error: errorName(error) });
    }
  }
  return { messages, unreadable };
}

interface EachMessageOptions<M> {
  parse: (body: string) => M;
  handle: (message: M) => Promise<void>;
  log: Log;
}

/** A handler for independent messages: a failed message does not affect the others of its batch. */
export const eachMessage =
  <M>({ parse, handle, log }: EachMessageOptions<M>) =>
  async (event: SQSEvent): Promise<SQSBatchResponse> => {
    const { messages, unreadable } = parseBatch(event, parse, log);
    const failed = unreadable.map(({ messageId }) => messageId);
    await Promise.all(
      messages.map(async ({ message, record }) => {
        try {
          await handle(message);
        } catch (error) {
          failed.push(record.messageId);
          log.warn('message.returned', { messageId: record.messageId, error: describeError(error) });
        }
      }),
    );
    return failing(failed);
  };
