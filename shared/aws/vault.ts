import type { KMSClient } from '@aws-sdk/client-kms';
import {
  type AccountId,
  type SignInId,
  hasKind,
  type OAuthClientId,
  type UserId,
  type WebhookId,
  type WorkflowId,
} from '../domain/id.ts';
import { type SealedFields, SecretFields } from '../domain/user/sealed-fields.ts';
import { createDailyKeys } from './encryption/daily-keys.ts';
import { createDataKeys } from './encryption/data-keys.ts';
import { decryptText, encryptText } from './encryption/sealed-text.ts';

/**
 * The object that has the fields. It and its owner are authenticated data, so that the sealed fields of another one
 * cannot be substituted.
 */
export interface Holder {
  id: AccountId | WebhookId | WorkflowId | OAuthClientId | SignInId;
  /** Clients of OAuth belong to the operator. */
  ownerId: UserId | typeof OPERATOR;
  /** The refresh token of an account, sealed apart from its fields. */
  part?: 'renewal';
}

const OPERATOR = 'operator';

/** Envelope encryption: fields are encrypted by a data key, which a KMS key encrypts. */
export interface Vault {
  encrypt(holder: Holder, fields: SecretFields): Promise<SealedFields>;
  decrypt(holder: Holder & { sealed: SealedFields }): Promise<SecretFields>;
}

/** The permissions of functions name these. */
const contextOf = ({ id, ownerId, part }: Holder) => ({ owner: ownerId, [part ?? kindOfHolder(id)]: id });

function kindOfHolder(id: Holder['id']): 'account' | 'client' | 'attempt' | 'listener' {
  if (hasKind('account', id)) return 'account';
  if (hasKind('oauthClient', id)) return 'client';
  return hasKind('signIn', id) ? 'attempt' : 'listener';
}

const authenticated = ({ id, ownerId, part }: Holder) => [ownerId, id, ...(part === undefined ? [] : [part])];

/** A ciphertext of a shared key is bound to its webhook by this alone. */
const authenticatedOnDay = ({ id, ownerId }: Holder, day: string) => [ownerId, id, 'webhooks', day];

/**
 * Webhooks of an owner share data keys, because each function that delivers decrypts the secrets of all of them. Every
 * other object has a data key of its own, bound to the object by its encryption context.
 */
export function createVault(kms: () => KMSClient, keyArn: string, now: () => number): Vault {
  const dataKeys = createDataKeys(kms, keyArn);
  const dailyKeys = createDailyKeys(dataKeys, now);
  return {
    async encrypt(holder, fields) {
      const plain = JSON.stringify(fields);
      if (hasKind('webhook', holder.id)) {
        const { key, sealed, day } = await dailyKeys.ofToday(holder.ownerId);
        return { day, dataKey: sealed, ...encryptText(key, authenticatedOnDay(holder, day), plain) };
      }
      const { key, sealed } = await dataKeys.generate(contextOf(holder));
      const text = encryptText(key, authenticated(holder), plain);
      key.fill(0);
      return { dataKey: sealed, ...text };
    },

    async decrypt({ sealed, ...holder }) {
      const { day, dataKey } = sealed;
      if (day !== undefined) {
        const key = await dailyKeys.decrypt(holder.ownerId, { day, sealed: dataKey });
        return fieldsIn(decryptText(key, authenticatedOnDay(holder, day), sealed));
      }
      const key = await dataKeys.decrypt(dataKey, contextOf(holder));
      const plain = decryptText(key, authenticated(holder), sealed);
      key.fill(0);
      return fieldsIn(plain);
    },
  };
}

const fieldsIn = (plain: string): SecretFields => SecretFields.parse(JSON.parse(plain));
