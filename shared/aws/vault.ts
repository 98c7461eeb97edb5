import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Account, AccountFields, type SealedFields } from '../domain/account.ts';

/** Account and owner are authenticated data, so that the sealed fields of another account cannot be substituted. */
type EncryptionContext = Pick<Account, 'id' | 'ownerId'>;

/** Envelope encryption of accounts: one data key per account, encrypted by a KMS key. */
export interface Vault {
  seal(account: EncryptionContext, fields: AccountFields): Promise<SealedFields>;
  open(account: EncryptionContext & Pick<Account, 'sealed'>): Promise<AccountFields>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const contextOf = ({ id, ownerId }: EncryptionContext) => ({ owner: ownerId, account: id });
const authenticated = ({ id, ownerId }: EncryptionContext) => Buffer.from(JSON.stringify([ownerId, id]));

export function createVault(kms: KMSClient, keyArn: string): Vault {
  return {
    async seal(account, fields) {
      const { Plaintext: key, CiphertextBlob: sealedKey } = await kms.send(
        new GenerateDataKeyCommand({
          KeyId: keyArn,
          KeySpec: 'AES_256',
          EncryptionContext: contextOf(account),
        }),
      );
      if (!key || !sealedKey) throw new Error('KMS returned no data key');
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(account));
      const text = [cipher.update(JSON.stringify(fields)), cipher.final(), cipher.getAuthTag()];
      key.fill(0);
      return {
        dataKey: Buffer.from(sealedKey).toString('base64'),
        nonce: nonce.toString('base64'),
        text: Buffer.concat(text).toString('base64'),
      };
    },

    async open({ sealed, ...account }) {
      const { Plaintext: key } = await kms.send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: Buffer.from(sealed.dataKey, 'base64'),
          EncryptionContext: contextOf(account),
        }),
      );
      if (!key) throw new Error('KMS returned no data key');
      const text = Buffer.from(sealed.text, 'base64');
      const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'));
      cipher.setAAD(authenticated(account)).setAuthTag(text.subarray(-TAG_BYTES));
      const plain = Buffer.concat([cipher.update(text.subarray(0, -TAG_BYTES)), cipher.final()]);
      key.fill(0);
      return AccountFields.parse(JSON.parse(plain.toString('utf8')));
    },
  };
}
