import { setTimeout as pause } from 'node:timers/promises';
import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** What a receiver tells its queue about messages before its batch is over. */
export interface Receipts {
  /** Done: not to be received again. */
  remove(handles: readonly string[]): Promise<void>;
  /** Not done: to be received again after so many seconds instead of the queue's own timeout. */
  release(messages: readonly { handle: string; seconds: number }[]): Promise<void>;
}

const TRIES = 6;

/** A batch that a mapping hands over has at most as many messages as such a request. */
export function createReceipts(sqs: SQSClient, queueUrl: string): Receipts {
  return {
    async remove(handles) {
      const entries = handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
      // What is refused would keep its group waiting for the end of the whole batch.
      await untilTaken(entries, (Entries) =>
        sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries })),
      );
    },
    async release(messages) {
      const entries = messages.map(({ handle, seconds }, index) => ({
        Id: String(index),
        ReceiptHandle: handle,
        VisibilityTimeout: seconds,
      }));
      // What is refused would keep its group waiting for the queue's own timeout.
      await untilTaken(entries, (Entries) =>
        sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries })),
      );
    },
  };
}

/** Sends entries that the queue refused through no fault of ours again, with growing pauses, until it gives up. */
async function untilTaken<E extends { Id: string }>(
  entries: readonly E[],
  send: (entries: E[]) => Promise<{ Failed?: BatchResultErrorEntry[] | undefined }>,
): Promise<void> {
  let left = [...entries];
  for (let attempt = 1; left.length > 0 && attempt <= TRIES; attempt += 1) {
    const { Failed = [] } = await send(left);
    const again = new Set(Failed.filter(({ SenderFault }) => !SenderFault).map(({ Id }) => Id));
    left = left.filter(({ Id }) => again.has(Id));
    if (left.length > 0) await pause(2 ** attempt * 10 * (0.5 + Math.random()));
  }
}
