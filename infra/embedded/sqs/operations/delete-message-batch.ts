import type { Input, Output } from '../../call.ts';
import type { Faults } from '../../faults.ts';
import { handleEntries, readEntries } from '../batch.ts';
import type { SqsContext } from '../context.ts';
import { receiptHandleExpired } from '../errors.ts';
import { requiredText } from '../input.ts';
import type { Queue } from '../queue/queue.ts';
import { readReceipt } from '../receipt-handle.ts';

/** `Commit` of a mapping, which processes messages again after a crash. Deletions of SDK clients are durable. */
export const LATER = Symbol('later');

export async function deleteMessageBatch(input: Input, context: SqsContext): Promise<Output> {
  const queue = context.queues.named(input);
  const entries = readEntries(input, 'DeleteMessageBatchRequestEntry');
  context.onRequest?.(queue.spec.name, 'DeleteMessageBatch', entries.length, 0);
  const output = handleEntries(entries, context.faults, (entry) => {
    deleteMessage(queue, requiredText(entry.input, 'ReceiptHandle'), context.faults);
    return { Id: entry.id };
  });
  if (input['Commit'] === LATER) context.disk.commitLater();
  else await context.disk.commit();
  return output;
}

/**
 * Deleting a deleted message is no error. A standard queue accepts the handle of an earlier receive without deleting; a
 * FIFO queue refuses a handle whose visibility timeout has passed.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessage.html
 */
function deleteMessage(queue: Queue, handle: string, faults: Faults): void {
  const { message, isNewest } = readReceipt(queue, handle);
  if (!message) return;
  if (queue.spec.fifo) {
    if (!isNewest || message.state !== 'inFlight') throw receiptHandleExpired(handle);
    queue.remove(message);
    return;
  }
  if (!isNewest) return;
  if (faults.inject('repeated-message')) {
    if (message.state === 'inFlight') queue.changeVisibility(message, 0);
    return;
  }
  queue.remove(message);
}
