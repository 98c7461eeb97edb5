import { AwsError, type Input, type Output } from '../../call.ts';
import { handleEntries, readEntries } from '../batch.ts';
import type { SqsContext } from '../context.ts';
import { invalidValue, missingParameter, receiptHandleExpired } from '../errors.ts';
import { optionalInteger, requiredText } from '../input.ts';
import { VISIBILITY_TIMEOUT } from '../limits.ts';
import type { Queue } from '../queue/queue.ts';
import { readReceipt } from '../receipt-handle.ts';

export async function changeMessageVisibilityBatch(input: Input, context: SqsContext): Promise<Output> {
  const queue = context.queues.named(input);
  const entries = readEntries(input, 'ChangeMessageVisibilityBatchRequestEntry');
  context.onRequest?.(queue.spec.name, 'ChangeMessageVisibilityBatch', entries.length, 0);
  const output = handleEntries(entries, context.faults, (entry) => {
    changeVisibility(queue, entry.input, context.clock.now());
    return { Id: entry.id };
  });
  await context.disk.commit();
  return output;
}

function changeVisibility(queue: Queue, input: Input, now: number): void {
  const handle = requiredText(input, 'ReceiptHandle');
  const seconds = optionalInteger(input, 'VisibilityTimeout', VISIBILITY_TIMEOUT);
  if (seconds === undefined) throw missingParameter('VisibilityTimeout');
  const { message, isNewest } = readReceipt(queue, handle);
  if (!message) {
    throw invalidValue(
      'ReceiptHandle',
      handle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  }
  if (!isNewest && queue.spec.fifo) throw receiptHandleExpired(handle);
  if (!isNewest || message.state !== 'inFlight') {
    throw new AwsError('MessageNotInflight', 'The specified message is not in flight.');
  }
  const hiddenSeconds = message.receivedAt === 0 ? 0 : Math.floor((now - message.receivedAt) / 1000);
  if (hiddenSeconds + seconds > VISIBILITY_TIMEOUT.to) {
    const reason = `Total VisibilityTimeout for the message is beyond the limit [${VISIBILITY_TIMEOUT.to} seconds]`;
    throw invalidValue('VisibilityTimeout', seconds, reason);
  }
  queue.changeVisibility(message, seconds);
}
