import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { describeError, type Log } from './log.ts';

export interface QueueMessage<M> {
  message: M;
  record: SQSRecord;
}

/** Those messages, by their message ids, that are to be received again. */
export const failing = (ids: Iterable<string>): SQSBatchResponse => ({
  batchItemFailures: [...ids].map((itemIdentifier) => ({ itemIdentifier })),
});

/** The messages of a batch, parsed once; those that cannot be read come back until they rest in the dead-letter queue. */
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
      log.error('message.unreadable', { messageId: record.messageId, error: describeError(error) });
    }
  }
  return { messages, unreadable };
}

interface Each<M> {
  parse: (body: string) => M;
  handle: (message: M) => Promise<void>;
  log: Log;
}

/** A handler for messages that have nothing to do with each other: each fails alone. */
export const eachMessage =
  <M>({ parse, handle, log }: Each<M>) =>
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
