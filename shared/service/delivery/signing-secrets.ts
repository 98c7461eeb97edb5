import type { Holder, Vault } from '../../aws/vault.ts';
import type { StoredSecret } from '../../domain/signing-secret.ts';
import type { SealedFields } from '../../domain/sealed-fields.ts';
import { TtlCache } from '../../domain/ttl-cache.ts';

/** Decrypts the signing secret of a listener. */
export type SecretReader = (holder: Holder, secret: StoredSecret) => Promise<string>;

/** Cache time of decrypted secrets, so that deliveries make almost no KMS calls. */
const SECRET_CACHE_MS = 5 * 60_000;
const MAX_CACHED_SECRETS = 5_000;

export function createSecretReader({
  vault,
  now,
}: {
  vault: Pick<Vault, 'open'>;
  now(): number;
}): SecretReader {
  /** Promises, so that the deliveries of one batch share a call. */
  const opened = new TtlCache<string, Promise<string>>({
    ttlMs: SECRET_CACHE_MS,
    maxEntries: MAX_CACHED_SECRETS,
    now,
  });

  async function open(holder: Holder, sealed: SealedFields): Promise<string> {
    const { secret } = await vault.open({ ...holder, sealed });
    if (secret === undefined) throw new Error(`The sealed fields of ${holder.id} have no secret`);
    return secret;
  }

  return (holder, secret) => {
    if (typeof secret === 'string') return Promise.resolve(secret);
    const key = `${holder.id} ${secret.text}`;
    const known = opened.get(key);
    if (known) return known;
    const opening = open(holder, secret);
    opened.set(key, opening);
    opening.catch(() => opened.delete(key));
    return opening;
  };
}

/** The secret as it is to be stored. */
export const sealedSecret = (
  vault: Pick<Vault, 'seal'>,
  holder: Holder,
  secret: string,
): Promise<SealedFields> => vault.seal(holder, { secret });
