import type { OAuthFunction } from '../../aws/oauth/oauth-function.ts';
import type { Account } from '../../domain/account/account.ts';

export interface RevokeTokensContext {
  oauthFunction: Pick<OAuthFunction, 'revoke'>;
}

/**
 * Revokes the tokens of an account that is about to be removed. Best effort: a provider that does not answer keeps no
 * account here. False when the tokens may still work at the provider. A repetition after a crash revokes them again,
 * which providers accept.
 */
export async function revokeTokens(
  { oauthFunction }: RevokeTokensContext,
  { id: accountId, oauth }: Pick<Account, 'id' | 'oauth'>,
): Promise<boolean> {
  if (oauth === undefined) return true;
  return oauthFunction.revoke({ accountId }).then(
    ({ state }) => state !== 'not_revoked',
    () => false,
  );
}
