import type { RequestOf, RevocationResult } from '../../domain/oauth/oauth-request.ts';
import { isLoginInUse } from './login-in-use.ts';
import type { SignInContext } from './sign-in-context.ts';

/** Revokes the tokens of an account that is about to be removed. */
export async function revokeAccount(
  context: Pick<SignInContext, 'accounts' | 'logins' | 'vault' | 'readClient' | 'requests'>,
  { accountId }: RequestOf<'revoke'>,
): Promise<RevocationResult> {
  const { accounts, logins, vault, readClient, requests } = context;
  const account = await accounts.find(accountId);
  const { oauth } = account ?? {};
  if (!account || !oauth) return { state: 'not_revoked' };
  await logins.remove(oauth, accountId);
  if (await isLoginInUse(context, oauth, accountId)) return { state: 'kept' };
  const { id, ownerId } = account;
  const client = await readClient({ client: oauth.client, ownerId, parameters: oauth.parameters });
  if (!client || client.clientId !== oauth.clientId) return { state: 'not_revoked' };
  const { oauth_access_token: accessToken = '' } = await vault.decrypt(account);
  const renewal =
    oauth.renewal === undefined
      ? undefined
      : await vault.decrypt({ id, ownerId, part: 'renewal', sealed: oauth.renewal });
  const isRevoked = await requests.revoke(client, { accessToken, refreshToken: renewal?.['refresh_token'] });
  return { state: isRevoked ? 'revoked' : 'not_revoked' };
}
