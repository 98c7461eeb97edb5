import { setTimeout as pause } from 'node:timers/promises';
import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** Acknowledges messages before their batch ends. */
export type Receipts = ReturnType<typeof createReceipts>;

const MAX_ATTEMPTS = 6;
/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-messages.html */
const MAX_ENTRIES = 10;

/** A batch may have more messages than a request takes. */
export function createReceipts(sqs: () => SQSClient, queueUrl: string) {
  return {
    /** Deletes completed messages. */
    async remove(handles: readonly string[]): Promise<void> {
      const entries = handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
      // A message that is not deleted blocks its group until the whole batch ends.
      await sendWithRetries(entries, (Entries) =>
        sqs().send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries })),
      );
    },
    /** Makes messages visible again after so many seconds instead of the queue's visibility timeout. */
    async release(messages: readonly { handle: string; seconds: number }[]): Promise<void> {
      const entries = messages.map(({ handle, seconds }, index) => ({
        Id: String(index),
        ReceiptHandle: handle,
        VisibilityTimeout: seconds,
      }));
      // A message that is not released blocks its group until the queue's visibility timeout.
      await sendWithRetries(entries, (Entries) =>
        sqs().send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries })),
      );
    },
  };
}

type SendEntries<E> = (entries: E[]) => Promise<{ Failed?: BatchResultErrorEntry[] | undefined }>;

/** A request that fails stops no other. */
async function sendWithRetries<E extends { Id: string }>(entries: readonly E[], send: SendEntries<E>): Promise<void> {
  const requests: Promise<void>[] = [];
  for (let start = 0; start < entries.length; start += MAX_ENTRIES)
    requests.push(sendRequest(entries.slice(start, start + MAX_ENTRIES), send));
  await Promise.all(requests);
}

/** Repeats entries that failed on the side of SQS, with exponential backoff, up to `MAX_ATTEMPTS`. */
async function sendRequest<E extends { Id: string }>(entries: readonly E[], send: SendEntries<E>): Promise<void> {
  let left = [...entries];
  for (let attempt = 1; left.length > 0 && attempt <= MAX_ATTEMPTS; attempt += 1) {
    const { Failed = [] } = await send(left);
    const retryable = new Set(Failed.filter(({ SenderFault }) => !SenderFault).map(({ Id }) => Id));
    left = left.filter(({ Id }) => retryable.has(Id));
    if (left.length > 0) await pause(2 ** attempt * 10 * (0.5 + Math.random()));
  }
}
