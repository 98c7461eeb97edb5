import { ServiceError } from '../../domain/errors.ts';
import type { ConnectAttemptId, UserId } from '../../domain/id.ts';
import { type ConnectAttempt, READABLE_MS } from '../../domain/oauth/attempt.ts';
import type { ConnectContext } from './connect-context.ts';

/** Throws `not_found` for another user's attempt too, so that ids cannot be probed. */
export async function ownedAttempt(
  { attempts, now }: Pick<ConnectContext, 'attempts' | 'now'>,
  id: ConnectAttemptId,
  userId: UserId,
): Promise<ConnectAttempt> {
  const attempt = await attempts.find(id);
  // Items that have expired stay for a while.
  if (attempt?.ownerId === userId && now() < attempt.createdAt + READABLE_MS) return attempt;
  throw new ServiceError('not_found', 'not_found', `There is no attempt ${id}.`);
}
