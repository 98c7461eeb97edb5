import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import {
  type AccountId,
  type ConnectAttemptId,
  hasKind,
  type OAuthClientId,
  type UserId,
  type WebhookId,
  type WorkflowId,
} from '../domain/id.ts';
import { type SealedFields, SecretFields } from '../domain/user/sealed-fields.ts';

/** The object that has the fields. It and its owner are authenticated data, so that the sealed fields of another one cannot be substituted. */
export interface Holder {
  id: AccountId | WebhookId | WorkflowId | OAuthClientId | ConnectAttemptId;
  /** Clients of OAuth belong to the operator. */
  ownerId: UserId | typeof OPERATOR;
  /** The refresh token of an account, sealed apart from its fields. */
  part?: 'renewal';
}

const OPERATOR = 'operator';

/** Envelope encryption: one data key for the fields of each object, encrypted by a KMS key. */
export interface Vault {
  seal(holder: Holder, fields: SecretFields): Promise<SealedFields>;
  open(holder: Holder & { sealed: SealedFields }): Promise<SecretFields>;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The permissions of functions name these. */
const contextOf = ({ id, ownerId, part }: Holder) => ({ owner: ownerId, [part ?? kindOfHolder(id)]: id });

function kindOfHolder(id: Holder['id']): 'account' | 'client' | 'attempt' | 'listener' {
  if (hasKind('account', id)) return 'account';
  if (hasKind('oauthClient', id)) return 'client';
  return hasKind('connectAttempt', id) ? 'attempt' : 'listener';
}

const authenticated = ({ id, ownerId, part }: Holder) =>
  Buffer.from(JSON.stringify([ownerId, id, ...(part === undefined ? [] : [part])]));

export function createVault(kms: () => KMSClient, keyArn: string): Vault {
  return {
    async seal(holder, fields) {
      const { Plaintext: key, CiphertextBlob: sealedKey } = await kms().send(
        new GenerateDataKeyCommand({
          KeyId: keyArn,
          KeySpec: 'AES_256',
          EncryptionContext: contextOf(holder),
        }),
      );
      if (!key || !sealedKey) throw new Error('KMS returned no data key');
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(holder));
      const text = [cipher.update(JSON.stringify(fields)), cipher.final(), cipher.getAuthTag()];
      key.fill(0);
      return {
        dataKey: Buffer.from(sealedKey).toString('base64'),
        nonce: nonce.toString('base64'),
        text: Buffer.concat(text).toString('base64'),
      };
    },

    async open({ sealed, ...holder }) {
      const { Plaintext: key } = await kms().send(
        new DecryptCommand({
          KeyId: keyArn,
          CiphertextBlob: Buffer.from(sealed.dataKey, 'base64'),
          EncryptionContext: contextOf(holder),
        }),
      );
      if (!key) throw new Error('KMS returned no data key');
      const text = Buffer.from(sealed.text, 'base64');
      const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(sealed.nonce, 'base64'));
      cipher.setAAD(authenticated(holder)).setAuthTag(text.subarray(-TAG_BYTES));
      const plain = Buffer.concat([cipher.update(text.subarray(0, -TAG_BYTES)), cipher.final()]);
      key.fill(0);
      return SecretFields.parse(JSON.parse(plain.toString('utf8')));
    },
  };
}
