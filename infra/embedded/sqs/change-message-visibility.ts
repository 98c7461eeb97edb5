import { AwsError } from '../call.ts';
import { eachEntry, readEntries } from './batch.ts';
import { invalid, missing } from './errors.ts';
import { type Input, optionalInteger, requiredText } from './input.ts';
import { type Operation, type OperationContext } from './operation.ts';
import { type Queue } from './queue.ts';
import { readReceipt, receiptHandleExpired } from './receipt-handle.ts';
import { VISIBILITY } from './receive-message.ts';

export const changeMessageVisibility: Operation = async (queue, input, context) => {
  context.count(1);
  changeOne(queue, input, context);
  await context.disk.commit();
  return {};
};

export const changeMessageVisibilityBatch: Operation = async (queue, input, context) => {
  const entries = readEntries(input, 'ChangeMessageVisibilityBatchRequestEntry');
  context.count(entries.length);
  const output = eachEntry(entries, context.weather, (entry) => {
    changeOne(queue, entry.input, context);
    return { Id: entry.id };
  });
  await context.disk.commit();
  return output;
};

function changeOne(queue: Queue, input: Input, { clock }: OperationContext): void {
  const handle = requiredText(input, 'ReceiptHandle');
  const seconds = optionalInteger(input, 'VisibilityTimeout', VISIBILITY);
  if (seconds === undefined) throw missing('VisibilityTimeout');
  const { message, isNewest } = readReceipt(queue, handle);
  if (!message) {
    throw invalid(
      'ReceiptHandle',
      handle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  }
  if (!isNewest && queue.spec.fifo) throw receiptHandleExpired(handle);
  if (!isNewest || message.state !== 'inFlight') {
    throw new AwsError('MessageNotInflight', 'The specified message is not in flight.');
  }
  const hiddenSeconds = message.receivedAt === 0 ? 0 : Math.floor((clock.now() - message.receivedAt) / 1000);
  if (hiddenSeconds + seconds > VISIBILITY.to) {
    const reason = `Total VisibilityTimeout for the message is beyond the limit [${VISIBILITY.to} seconds]`;
    throw invalid('VisibilityTimeout', seconds, reason);
  }
  queue.changeVisibility(message, seconds);
}
