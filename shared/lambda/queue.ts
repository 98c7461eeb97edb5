import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { SetAside } from '../aws/letters/set-aside.ts';
import type { Receipts } from '../aws/queue-receipts.ts';
import { ATTEMPTS } from '../domain/run/received-trigger.ts';
import { describeError, errorName, type Log } from './log.ts';

export interface QueueMessage<M> {
  message: M;
  record: SQSRecord;
}

/** The batch response: these messages are received again. */
export const failing = (records: readonly SQSRecord[]): SQSBatchResponse => ({
  batchItemFailures: records.map(({ messageId }) => ({ itemIdentifier: messageId })),
});

/** The ways of a message that is not completed. */
export interface FailureOptions {
  setAside: SetAside;
  receipts: Pick<Receipts, 'release'>;
  log: Log;
}

export interface ReadOptions<M> extends FailureOptions {
  parse(body: string): M;
}

/** A message that was not completed: it comes back after some seconds, or is set aside. */
export interface Failed {
  record: SQSRecord;
  seconds: number;
  isLast: boolean;
}

/** During an upgrade a message may come before the release that reads it. */
const UNREADABLE_MS = 600_000;
const UNREADABLE_SECONDS = 60;

/**
 * Parses the messages of a batch. An unreadable message comes back for ten minutes, and holds up its group on a FIFO
 * queue; then it becomes a dead letter. The log lines have no text of the error, which may quote the body.
 */
export async function readBatch<M>(
  event: SQSEvent,
  { parse, ...options }: ReadOptions<M>,
): Promise<{ messages: QueueMessage<M>[]; returned: readonly SQSRecord[] }> {
  const messages: QueueMessage<M>[] = [];
  const unreadable: Failed[] = [];
  const heldGroups = new Set<string | undefined>();
  for (const record of event.Records) {
    const { messageId, attributes } = record;
    const { MessageGroupId: group, SequenceNumber, ApproximateFirstReceiveTimestamp: receivedAt } = attributes;
    try {
      if (heldGroups.has(group)) unreadable.push({ record, seconds: 0, isLast: false });
      else messages.push({ message: parse(record.body), record });
    } catch (error) {
      options.log.error('message.unreadable', { messageId, group, error: errorName(error) });
      const isLast = Date.now() - Number(receivedAt) >= UNREADABLE_MS;
      unreadable.push({ record, seconds: UNREADABLE_SECONDS, isLast });
      if (!isLast && SequenceNumber !== undefined) heldGroups.add(group);
    }
  }
  return { messages, returned: await returnFailed(unreadable, options) };
}

/**
 * Failures come back after 1, 2, 4, 5, 5 … minutes, and are set aside in the end. SQS leaves messages that were
 * received three times out of the age of the oldest one, by which the alarm rings after two minutes.
 */
export function failedMessage(record: SQSRecord): Failed {
  const receives = Number(record.attributes.ApproximateReceiveCount);
  return { record, seconds: Math.min(30 * 2 ** receives, 300), isLast: receives >= ATTEMPTS };
}

/** Returns the messages that come back. */
export async function returnFailed(
  failed: readonly Failed[],
  { setAside, receipts, log }: FailureOptions,
): Promise<readonly SQSRecord[]> {
  const last = failed.filter(({ isLast }) => isLast).map(({ record }) => record);
  const isAside = last.length > 0 && (await attempted(log, () => setAside(last)));
  const back = failed.filter(({ isLast }) => !(isLast && isAside));
  await attempted(log, () =>
    receipts.release(back.map(({ record, seconds }) => ({ handle: record.receiptHandle, seconds }))),
  );
  return back.map(({ record }) => record);
}

/** Logs a failure: without these calls messages are received later or once more, which is harmless. */
export async function attempted(log: Log, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.warn('receipts.failed', { error: describeError(error) });
    return false;
  }
}

/** The invocation of a batch. Its id names the batch in the log. */
export type BatchContext = Pick<Context, 'awsRequestId'>;

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
    const { messages, returned: unreadable } = await readBatch(event, options);
    const failed: Failed[] = [];
    await Promise.all(
      messages.map(async ({ message, record }) => {
        try {
          await handle(message, id);
        } catch (error) {
          failed.push(failedMessage(record));
          log.warn('message.returned', { messageId: record.messageId, error: describeError(error) });
        }
      }),
    );
    const returned = [...unreadable, ...(await returnFailed(failed, options))];
    await onEnd?.();
    logBatch(log, { id, ms: Date.now() - startedAt }, { messages: event.Records.length, returned: returned.length });
    return failing(returned);
  };
