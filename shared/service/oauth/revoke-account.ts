import type { DoneResult, RequestOf } from '../../domain/oauth/oauth-request.ts';
import { isLoginInUse } from './login-in-use.ts';
import type { SignInContext } from './sign-in-context.ts';

const DONE: DoneResult = { state: 'done' };

/** Revokes the tokens of an account that was read before its removal. Best effort: an account that is gone, or has no client, revokes nothing. */
export async function revokeAccount(
  context: Pick<SignInContext, 'accounts' | 'logins' | 'vault' | 'openClient' | 'requests'>,
  { accountId }: RequestOf<'revoke'>,
): Promise<DoneResult> {
  const { accounts, logins, vault, openClient, requests } = context;
  const account = await accounts.find(accountId);
  const { oauth } = account ?? {};
  if (!account || !oauth) return DONE;
  await logins.remove(oauth, accountId);
  const { id, ownerId } = account;
  const client = await openClient({ client: oauth.client, ownerId, parameters: oauth.parameters });
  if (!client || client.clientId !== oauth.clientId || (await isLoginInUse(context, oauth, accountId)))
    return DONE;
  const { oauth_access_token: accessToken = '' } = await vault.open(account);
  const renewal =
    oauth.renewal === undefined
      ? undefined
      : await vault.open({ id, ownerId, part: 'renewal', sealed: oauth.renewal });
  await requests.revoke(client, { accessToken, refreshToken: renewal?.['refresh_token'] });
  return DONE;
}
