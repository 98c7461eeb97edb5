import { AwsError, type Input, type Output } from '../../call.ts';
import { handleEntries, readEntries } from '../batch.ts';
import type { SqsContext } from '../context.ts';
import { attributeBytesOf, bodyBytesOf, readDraft, send } from '../send.ts';

const MAX_BATCH_BYTES = 1_048_576;

export async function sendMessageBatch(input: Input, context: SqsContext, role: string): Promise<Output> {
  const queue = context.queues.named(input);
  const entries = readEntries(input, 'SendMessageBatchRequestEntry');
  const bodyBytes = new Map(entries.map((entry) => [entry, bodyBytesOf(entry.input)]));
  let total = 0;
  for (const [entry, bytes] of bodyBytes) total += bytes + attributeBytesOf(entry.input);
  if (total > MAX_BATCH_BYTES) {
    throw new AwsError(
      'BatchRequestTooLong',
      `Batch requests cannot be longer than ${MAX_BATCH_BYTES} bytes. You have sent ${total} bytes.`,
    );
  }
  context.onRequest?.(queue.spec.name, 'SendMessageBatch', entries.length, total);
  const output = handleEntries(entries, context.faults, (entry) => {
    const sent = send(queue, readDraft(entry.input, bodyBytes.get(entry)), context.clock, role);
    sent['Id'] = entry.id;
    return sent;
  });
  await context.disk.commit();
  return output;
}
