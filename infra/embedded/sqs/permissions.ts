import type { Input, RequiredPermission } from '../call.ts';
import type { SqsContext } from './context.ts';

/** An action on the queue that `QueueUrl` names. */
export const queuePermission =
  (action: string) =>
  (input: Input, { queues }: SqsContext): readonly RequiredPermission[] =>
    queues.permission(input, action);

/** An action on the queue that `SourceArn` names. */
export const sourcePermission =
  (action: string) =>
  ({ SourceArn }: Input): readonly RequiredPermission[] => [{ action, resource: String(SourceArn) }];
