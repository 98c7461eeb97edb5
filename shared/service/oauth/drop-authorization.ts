import type { DoneResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import { revokeAuthorization } from './revoke-authorization.ts';
import { signInWithAuthorization, type SignInContext } from './sign-in-context.ts';
import { storeSignIn } from './store-sign-in.ts';

const DONE: DoneResult = { state: 'done' };

/** Revokes and drops the tokens of an authorization that was not confirmed in time. */
export async function dropAuthorization(context: SignInContext, request: RequestOf<'drop'>): Promise<DoneResult> {
  const { signIns } = context;
  const found = await signInWithAuthorization(context, request);
  if (!found) return DONE;
  const { signIn, authorization } = found;
  if (authorization.status === 'confirmed') {
    // The process that stored the account died.
    await storeSignIn(context, { ...request, kind: 'confirm' });
    return DONE;
  }
  if (authorization.tokens === undefined) return DONE;
  const ended =
    authorization.status === 'ended'
      ? authorization
      : await signIns.changeAuthorization(authorization, { status: 'ended' });
  // Changed meanwhile: by a confirmation, or by another drop. The caller repeats this.
  if (!ended) throw new Error('The authorization was changed meanwhile');
  await revokeAuthorization(context, signIn, ended);
  return DONE;
}
