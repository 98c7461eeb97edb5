import type { Holder, Vault } from '../../aws/vault.ts';
import type { SealedFields, SecretFields } from '../../domain/user/sealed-fields.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';

/** Decrypts the sealed fields of a listener. */
export type SealedReader = (holder: Holder, sealed: SealedFields) => Promise<SecretFields>;

/** Cache time of decrypted fields, so that deliveries make almost no KMS calls. */
const CACHE_MS = 5 * 60_000;
const MAX_CACHED = 5_000;

export function createSealedReader({ vault, now }: { vault: Pick<Vault, 'decrypt'>; now(): number }): SealedReader {
  /** Promises, so that the deliveries of one batch share a call. */
  const decrypted = new TtlCache<string, Promise<SecretFields>>({
    ttlMs: CACHE_MS,
    maxEntries: MAX_CACHED,
    now,
  });

  return (holder, sealed) => {
    const key = `${holder.id} ${sealed.text}`;
    const known = decrypted.get(key);
    if (known) return known;
    const decrypting = vault.decrypt({ ...holder, sealed });
    decrypted.set(key, decrypting);
    decrypting.catch(() => decrypted.delete(key));
    return decrypting;
  };
}
