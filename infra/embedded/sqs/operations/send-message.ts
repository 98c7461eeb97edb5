import type { Input, Output } from '../../call.ts';
import type { SqsContext } from '../context.ts';
import { readDraft, send } from '../send.ts';

export async function sendMessage(input: Input, context: SqsContext, role: string): Promise<Output> {
  const queue = context.queues.named(input);
  context.onRequest?.(queue.spec.name, 'SendMessage', 1);
  const output = send(queue, readDraft(input), context.clock, role);
  await context.disk.commit();
  return output;
}
