import type { Vault } from '../../aws/vault.ts';
import type { OAuthClientId } from '../../domain/id.ts';
import type { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import { resolveClient } from '../../domain/oauth/resolve-client.ts';
import type { ResolvedClient } from '../../domain/oauth/resolved-client.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import type { OAuthClientStore } from '../../store/accounts/oauth-clients.ts';

export interface ReadClientContext {
  clients: Pick<OAuthClientStore, 'find'>;
  vault: Pick<Vault, 'decrypt'>;
  now(): number;
}

interface Connection {
  client: OAuthClientId;
  ownerId: ResolvedClient['ownerId'];
  parameters: Readonly<Record<string, string>>;
}

/** The client of a connection with its secret; undefined when the operator has deleted it. */
export type ReadClient = (connection: Connection) => Promise<ResolvedClient | undefined>;

/**
 * Cache time of an decrypted secret, to save KMS calls. The client is read every time, so that a change takes effect at
 * once.
 */
const SECRET_CACHE_MS = 5 * 60_000;
const MAX_CACHED = 200;

export function createClientReader({ clients, vault, now }: ReadClientContext): ReadClient {
  const decrypted = new TtlCache<string, string>({ ttlMs: SECRET_CACHE_MS, maxEntries: MAX_CACHED, now });

  async function secretOf({ id, secret: sealed }: OAuthClient): Promise<string | undefined> {
    if (sealed === undefined) return undefined;
    // A new secret is sealed anew.
    const key = `${id} ${sealed.nonce}`;
    const known = decrypted.get(key);
    if (known !== undefined) return known;
    const { client_secret: secret = '' } = await vault.decrypt({ id, ownerId: 'operator', sealed });
    decrypted.set(key, secret);
    return secret;
  }

  return async ({ client: id, ownerId, parameters }) => {
    const client = await clients.find(id);
    return client && resolveClient(client, { ownerId, parameters, clientSecret: await secretOf(client) });
  };
}
