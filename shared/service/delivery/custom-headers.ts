import type { Holder, Vault } from '../../aws/vault.ts';
import type { SealedFields } from '../../domain/user/sealed-fields.ts';
import { WebhookHeaders } from '../../domain/delivery/webhook-headers.ts';
import type { SealedReader } from './sealed-reader.ts';

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
