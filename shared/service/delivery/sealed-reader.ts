import type { Holder, Vault } from '../../aws/vault.ts';
import type { SealedFields, SecretFields } from '../../domain/user/sealed-fields.ts';
import { TtlCache } from '../../lib/ttl-cache.ts';
import { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import type { StoredSecret } from '../../domain/delivery/signing-secret.ts';

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

/** Decrypts the headers that the owner of a webhook chose. */
export type HeaderReader = (holder: Holder, headers: SealedFields | undefined) => Promise<WebhookHeaders>;

export const createHeaderReader =
  (decrypted: SealedReader): HeaderReader =>
  async (holder, sealed) => {
    if (sealed === undefined) return [];
    const { headers = '[]' } = await decrypted(holder, sealed);
    return WebhookHeaders.parse(JSON.parse(headers));
  };

/** The headers as they are to be stored; undefined for none. */
export const encryptedHeaders = async (
  vault: Pick<Vault, 'encrypt'>,
  holder: Holder,
  headers: WebhookHeaders,
): Promise<SealedFields | undefined> =>
  headers.length === 0 ? undefined : vault.encrypt(holder, { headers: JSON.stringify(headers) });

export type SecretReader = (holder: Holder, secret: StoredSecret) => Promise<string>;

export const createSecretReader =
  (decrypted: SealedReader): SecretReader =>
  async (holder, stored) => {
    if (typeof stored === 'string') return stored;
    const { secret } = await decrypted(holder, stored);
    if (secret === undefined) throw new Error(`The sealed fields of ${holder.id} have no secret`);
    return secret;
  };

export const sealedSecret = (vault: Pick<Vault, 'encrypt'>, holder: Holder, secret: string): Promise<SealedFields> =>
  vault.encrypt(holder, { secret });
