import { eachEntry, readEntries } from './batch.ts';
import { requiredText } from './input.ts';
import { type Operation, type OperationContext } from './operation.ts';
import { type Queue } from './queue.ts';
import { readReceipt, receiptHandleExpired } from './receipt-handle.ts';

export const deleteMessage: Operation = async (queue, input, context) => {
  context.count(1);
  deleteOne(queue, requiredText(input, 'ReceiptHandle'), context);
  await context.disk.commit();
  return {};
};

export const deleteMessageBatch: Operation = async (queue, input, context) => {
  const entries = readEntries(input, 'DeleteMessageBatchRequestEntry');
  context.count(entries.length);
  const output = eachEntry(entries, context.weather, (entry) => {
    deleteOne(queue, requiredText(entry.input, 'ReceiptHandle'), context);
    return { Id: entry.id };
  });
  await context.disk.commit();
  return output;
};

/**
 * A message already deleted is no error. A standard queue accepts an older receive's handle without deleting; a FIFO
 * queue refuses one whose visibility timeout has passed.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_DeleteMessage.html
 */
function deleteOne(queue: Queue, handle: string, { weather }: OperationContext): void {
  const { message, isNewest } = readReceipt(queue, handle);
  if (!message) return;
  if (queue.spec.fifo) {
    if (!isNewest || message.state !== 'inFlight') throw receiptHandleExpired(handle);
    queue.remove(message);
    return;
  }
  if (!isNewest) return;
  if (weather.strikes('repeated-message')) {
    if (message.state === 'inFlight') queue.changeVisibility(message, 0);
    return;
  }
  queue.remove(message);
}
