import {
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

/** A batch that a mapping hands over has at most as many messages as such a request. */
export function receiptsOf(sqs: SQSClient, queueUrl: string): Receipts {
  return {
    async remove(handles) {
      if (handles.length === 0) return;
      await sqs.send(
        new DeleteMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: handles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle })),
        }),
      );
    },
    async release(messages) {
      if (messages.length === 0) return;
      await sqs.send(
        new ChangeMessageVisibilityBatchCommand({
          QueueUrl: queueUrl,
          Entries: messages.map(({ handle, seconds }, index) => ({
            Id: String(index),
            ReceiptHandle: handle,
            VisibilityTimeout: seconds,
          })),
        }),
      );
    },
  };
}
