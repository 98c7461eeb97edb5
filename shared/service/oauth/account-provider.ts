import type { ProviderRequests } from '../../aws/oauth/provider-requests.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { OAuthLoginStore } from '../../store/accounts/oauth-clients.ts';
import { isLoginInUse } from './login-in-use.ts';
import type { ReadClient } from './client-reader.ts';
import type { ConnectedAccount } from './leased-account.ts';
import type { AccountProvider } from './renew-account.ts';

interface AccountProviderContext {
  accounts: Pick<AccountStore, 'find'>;
  logins: Pick<OAuthLoginStore, 'accountsOf'>;
  readClient: ReadClient;
  requests: ProviderRequests;
}

/** Opens the provider of an account. Requests to it count as those of the account's user. */
export const createAccountProvider =
  (context: AccountProviderContext) =>
  async ({ id, ownerId, oauth }: ConnectedAccount): Promise<AccountProvider | undefined> => {
    const { readClient, requests } = context;
    const client = await readClient({ client: oauth.client, ownerId, parameters: oauth.parameters });
    if (!client) return undefined;
    return {
      clientId: client.clientId,
      refresh: (refreshToken) => requests.refresh(client, refreshToken),

      async isValid(accessToken) {
        const outcome = await requests.identity(client, accessToken);
        return outcome === undefined || outcome.kind === 'passing' ? undefined : outcome.kind === 'identity';
      },

      async revoke(tokens) {
        if (!(await isLoginInUse(context, oauth, id))) await requests.revoke(client, tokens);
      },
    };
  };
