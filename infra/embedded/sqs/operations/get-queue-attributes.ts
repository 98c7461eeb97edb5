import type { Input, Output } from '../../call.ts';
import type { SqsContext } from '../context.ts';
import { unknownAttribute } from '../errors.ts';
import { optionalTexts } from '../input.ts';
import type { MessageCounts } from '../queue/queue.ts';

const COUNTS: ReadonlyMap<string, keyof MessageCounts> = new Map([
  ['ApproximateNumberOfMessages', 'visible'],
  ['ApproximateNumberOfMessagesNotVisible', 'inFlight'],
  ['ApproximateNumberOfMessagesDelayed', 'delayed'],
]);

/** The counts of messages, which are exact here. Throws `InvalidAttributeName` for every other attribute. */
export function getQueueAttributes(input: Input, context: SqsContext): Promise<Output> {
  const queue = context.queues.named(input);
  const names = optionalTexts(input, 'AttributeNames');
  context.onRequest?.(queue.spec.name, 'GetQueueAttributes', 1, 0);
  const attributes = names.map((name) => {
    const count = COUNTS.get(name);
    if (count === undefined) throw unknownAttribute(name);
    return [name, String(queue.counts[count])];
  });
  return Promise.resolve({ Attributes: Object.fromEntries(attributes) });
}
