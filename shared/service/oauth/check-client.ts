import type { ClientCheck, RequestOf } from '../../domain/oauth/oauth-request.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';
import type { ReadClientContext } from './client-reader.ts';

/** Whether the secret of a client can be decrypted, past the cache. The response has no part of it. */
export async function checkClient(
  { clients, vault }: { clients: Pick<OAuthClientStore, 'find'>; vault: ReadClientContext['vault'] },
  { clientId: id }: RequestOf<'check-client'>,
): Promise<ClientCheck> {
  const client = await clients.find(id);
  if (!client) return { state: 'gone' };
  const { secret: sealed } = client;
  if (sealed === undefined) return { state: 'usable' };
  return vault.decrypt({ id, ownerId: 'operator', sealed }).then(
    (): ClientCheck => ({ state: 'usable' }),
    (): ClientCheck => ({ state: 'unreadable' }),
  );
}
