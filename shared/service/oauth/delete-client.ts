import type { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import type { OAuthClientStore, OAuthLoginStore } from '../../store/accounts/oauth-clients.ts';

interface DeleteClientContext {
  clients: Pick<OAuthClientStore, 'remove'>;
  logins: Pick<OAuthLoginStore, 'accountsOfClient'>;
  accounts: Pick<AccountStore, 'find'>;
}

/** Deletes a client. Returns the number of accounts that use it and keep it, unless `force`; 0 when it is deleted. */
export async function deleteClient(
  { clients, logins, accounts }: DeleteClientContext,
  client: OAuthClient,
  { force }: { force: boolean },
): Promise<number> {
  const ids = force ? [] : await logins.accountsOfClient(client.id);
  const found = await Promise.all(ids.map((id) => accounts.find(id)));
  const used = found.filter((account) => account?.oauth?.client === client.id).length;
  if (used === 0) await clients.remove(client);
  return used;
}
