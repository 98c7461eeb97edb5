import type { Holder, Vault } from '../../aws/vault.ts';
import type { StoredSecret } from '../../domain/delivery/signing-secret.ts';
import type { SealedFields } from '../../domain/user/sealed-fields.ts';
import type { SealedReader } from './sealed-reader.ts';

/** Decrypts the signing secret of a listener. */
export type SecretReader = (holder: Holder, secret: StoredSecret) => Promise<string>;

export const createSecretReader =
  (decrypted: SealedReader): SecretReader =>
  async (holder, stored) => {
    if (typeof stored === 'string') return stored;
    const { secret } = await decrypted(holder, stored);
    if (secret === undefined) throw new Error(`The sealed fields of ${holder.id} have no secret`);
    return secret;
  };

/** The secret as it is to be stored. */
export const sealedSecret = (vault: Pick<Vault, 'encrypt'>, holder: Holder, secret: string): Promise<SealedFields> =>
  vault.encrypt(holder, { secret });
