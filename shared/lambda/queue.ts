import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
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

/** The invocation of a batch. Its id names the batch in the log. */
export type BatchContext = Pick<Context, 'awsRequestId'>;

/** Writes the line of one batch. */
export const logBatch = (
  log: Log,
  { id, ms }: { id: string; ms: number },
  counts: { messages: number; returned: number },
): void => {
  log.info('batch.ended', { batch: id, ...counts, ms });
};

interface EachMessageOptions<M> {
  parse: (body: string) => M;
  handle: (message: M, batch: string) => Promise<void>;
  /** Called after the last message of a batch. */
  onEnd?: () => Promise<void>;
  log: Log;
}

/** A handler for independent messages: a failed message does not affect the others of its batch. */
export const eachMessage =
  <M>({ parse, handle, onEnd, log }: EachMessageOptions<M>) =>
  async (event: SQSEvent, { awsRequestId: id }: BatchContext): Promise<SQSBatchResponse> => {
    const startedAt = Date.now();
    const { messages, unreadable } = parseBatch(event, parse, log);
    const failed = unreadable.map(({ messageId }) => messageId);
    await Promise.all(
      messages.map(async ({ message, record }) => {
        try {
          await handle(message, id);
        } catch (error) {
          failed.push(record.messageId);
          log.warn('message.returned', { messageId: record.messageId, error: describeError(error) });
        }
      }),
    );
    await onEnd?.();
    logBatch(
      log,
      { id, ms: Date.now() - startedAt },
      { messages: event.Records.length, returned: failed.length },
    );
    return failing(failed);
  };
