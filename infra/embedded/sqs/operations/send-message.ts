import type { Input, Output } from '../../call.ts';
import type { SqsContext } from '../context.ts';
import { readDraft, send } from '../send.ts';

export async function sendMessage(input: Input, context: SqsContext, role: string): Promise<Output> {
  const queue = context.queues.named(input);
  const draft = readDraft(input);
  context.onRequest?.(queue.spec.name, 'SendMessage', 1, draft.size);
  const output = send(queue, draft, context.clock, role);
  await context.disk.commit();
  return output;
}
