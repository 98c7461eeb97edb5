import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SetAside } from '../aws/letters/set-aside.ts';
import { describeError, errorName, type Log } from './log.ts';

export interface QueueMessage<M> {
  message: M;
  record: SQSRecord;
}

/** The batch response: messages with these ids are received again. */
export const failing = (ids: Iterable<string>): SQSBatchResponse => ({
  batchItemFailures: [...ids].map((itemIdentifier) => ({ itemIdentifier })),
});

export interface ReadOptions<M> {
  parse(body: string): M;
  setAside: SetAside;
  log: Log;
}

/**
 * Parses the messages of a batch. An unreadable message becomes a dead letter at once, because no repetition makes it
 * readable; `returned` has those that could not be set aside. The log lines have no text of the error, which may quote
 * the body.
 */
export async function readBatch<M>(
  event: SQSEvent,
  { parse, setAside, log }: ReadOptions<M>,
): Promise<{ messages: QueueMessage<M>[]; returned: SQSRecord[] }> {
  const messages: QueueMessage<M>[] = [];
  const unreadable: SQSRecord[] = [];
  for (const record of event.Records) {
    try {
      messages.push({ message: parse(record.body), record });
    } catch (error) {
      unreadable.push(record);
      const { messageId, attributes } = record;
      log.error('message.unreadable', {
        messageId,
        group: attributes.MessageGroupId,
        error: errorName(error),
      });
    }
  }
  if (unreadable.length === 0) return { messages, returned: [] };
  try {
    await setAside(unreadable);
    return { messages, returned: [] };
  } catch (error) {
    log.warn('message.returned', {
      messageId: unreadable.map(({ messageId }) => messageId).join(),
      error: describeError(error),
    });
    return { messages, returned: unreadable };
  }
}

/** The invocation of a batch. Its id names the batch in the log. */
export type BatchContext = Pick<Context, 'awsRequestId'>;

/** Writes the line of one batch. */
export const logBatch = (
  log: Log,
  { id, ms }: { id: string; ms: number },
  counts: { messages: number; returned: number },
): void => log.info('batch.ended', { batch: id, ...counts, ms });

interface EachMessageOptions<M> extends ReadOptions<M> {
  handle: (message: M, batch: string) => Promise<void>;
  /** Called after the last message of a batch. */
  onEnd?: () => Promise<void>;
}

/** A handler for independent messages: a failed message does not affect the others of its batch. */
export const eachMessage =
  <M>({ handle, onEnd, ...options }: EachMessageOptions<M>) =>
  async (event: SQSEvent, { awsRequestId: id }: BatchContext): Promise<SQSBatchResponse> => {
    const startedAt = Date.now();
    const { log } = options;
    const { messages, returned } = await readBatch(event, options);
    const failed = returned.map(({ messageId }) => messageId);
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
    logBatch(log, { id, ms: Date.now() - startedAt }, { messages: event.Records.length, returned: failed.length });
    return failing(failed);
  };
