import type { AccountId } from '../../domain/id.ts';
import type { SignedIn } from '../../domain/oauth/signed-in.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { OAuthLoginStore } from '../../store/accounts/oauth-clients.ts';

/**
 * Whether another account of the client has the same login: at some providers a revocation ends all of its sign-ins.
 */
export async function isLoginInUse(
  { accounts, logins }: { accounts: Pick<AccountStore, 'find'>; logins: Pick<OAuthLoginStore, 'accountsOf'> },
  { client, uid }: Pick<SignedIn, 'client' | 'uid'>,
  except?: AccountId,
): Promise<boolean> {
  if (uid === undefined) return false;
  for (const id of await logins.accountsOf({ client, uid })) {
    const { oauth } = id === except ? {} : ((await accounts.find(id)) ?? {});
    if (oauth?.client === client && oauth.uid === uid) return true;
  }
  return false;
}
