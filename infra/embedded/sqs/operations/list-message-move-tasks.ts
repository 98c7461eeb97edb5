import type { Input, Output } from '../../call.ts';
import type { SqsContext } from '../context.ts';

/** The newest task of a queue. */
export function listMessageMoveTasks(input: Input, { moves, queues }: SqsContext): Promise<Output> {
  const task = moves.get(queues.namedByArn(input, 'SourceArn').arn);
  return Promise.resolve({ Results: task ? [task] : [] });
}
