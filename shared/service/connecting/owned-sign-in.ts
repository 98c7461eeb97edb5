import type { SignInId, UserId } from '../../domain/id.ts';
import { type SignIn, READABLE_MS } from '../../domain/oauth/sign-in.ts';
import type { ConnectContext } from './connect-context.ts';
import { notFound } from '../../domain/errors.ts';

/** Throws `not_found` for another user's sign-in too, so that ids cannot be probed. */
export async function ownedSignIn(
  { signIns, now }: Pick<ConnectContext, 'signIns' | 'now'>,
  id: SignInId,
  userId: UserId,
): Promise<SignIn> {
  const signIn = await signIns.find(id);
  // Items that have expired stay for a while.
  if (signIn?.ownerId === userId && now() < signIn.createdAt + READABLE_MS) return signIn;
  throw notFound(`sign-in ${id}`);
}
