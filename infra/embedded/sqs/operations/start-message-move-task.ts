import { randomUUID } from 'node:crypto';
import type { Input, Output } from '../../call.ts';
import type { SqsContext } from '../context.ts';

/** Messages that are moved between two commits. */
const STEP = 500;

/** Moves all visible messages, as new ones. Here the task has ended when the call responds. */
export async function startMessageMoveTask(input: Input, { clock, disk, moves, queues }: SqsContext): Promise<Output> {
  const source = queues.namedByArn(input, 'SourceArn');
  const target = queues.namedByArn(input, 'DestinationArn');
  const StartedTimestamp = clock.now();
  let moved = 0;
  for (let step = STEP; step > 0; moved += step) {
    step = source.moveTo(target, STEP);
    await disk.commit();
  }
  const [SourceArn, DestinationArn] = [source.arn, target.arn];
  const task = { Status: 'COMPLETED', SourceArn, DestinationArn, ApproximateNumberOfMessagesMoved: moved };
  moves.set(source.arn, { ...task, StartedTimestamp });
  return { TaskHandle: randomUUID() };
}
