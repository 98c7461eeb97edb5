import type { SignIn, Authorization } from '../../domain/oauth/sign-in.ts';
import { SignedIn } from '../../domain/oauth/signed-in.ts';
import { isLoginInUse } from './login-in-use.ts';
import type { SignInContext } from './sign-in-context.ts';

/**
 * Revokes and drops the tokens of an authorization that has ended, so that no confirmation stores tokens that are
 * revoked. A repetition after a crash revokes them again.
 */
export async function revokeAuthorization(
  context: SignInContext,
  { id, ownerId, client: registered, parameters }: SignIn,
  ended: Authorization,
): Promise<void> {
  const { signIns, readClient, requests, vault } = context;
  if (ended.tokens === undefined) return;
  const decrypted = await vault.decrypt({ id, ownerId, sealed: ended.tokens });
  const signed = SignedIn.parse(JSON.parse(decrypted['signed_in'] ?? ''));
  const client = await readClient({ client: registered, ownerId, parameters });
  if (client && !(await isLoginInUse(context, signed))) await requests.revoke(client, signed);
  await signIns.changeAuthorization(ended, { tokens: undefined });
}
