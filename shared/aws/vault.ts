import type { KMSClient } from '@aws-sdk/client-kms';
import {
  type AccountId,
  type SignInId,
  hasKind,
  type OAuthClientId,
  type SessionId,
  type UserId,
  type WebhookId,
  type WorkflowId,
} from '../domain/id.ts';
import { type SealedFields, SecretFields } from '../domain/user/sealed-fields.ts';
import { createDataKeys, type DataKey, type DataKeys } from './encryption/data-keys.ts';
import { decryptText, encryptText } from './encryption/sealed-text.ts';
import { HOUR_MS } from '../lib/durations.ts';
import { cachedRead, TtlCache } from '../lib/ttl-cache.ts';

/**
 * Cache time of a decrypted data key. A disabled KMS key stops an instance within this time and that of decrypted
 * secrets.
 */
const CACHE_MS = HOUR_MS;
/** About 1 KB each. */
const MAX_CACHED = 2_000;

interface DailyKey extends DataKey {
  /** UTC date. */
  day: string;
}

/** Data keys that the webhooks of one owner share which are sealed on one day, by one instance. */
function createDailyKeys(dataKeys: DataKeys, now: () => number) {
  const cache = { ttlMs: CACHE_MS, maxEntries: MAX_CACHED, now };
  const today = new TtlCache<string, Promise<DailyKey>>(cache);
  const decrypted = new TtlCache<string, Promise<Uint8Array>>(cache);
  const contextOf = (owner: string, day: string) => ({ owner, webhooks: day });
  /** The owner is a part of it: a key of another owner must fail as it does at KMS. */
  const nameOf = (owner: string, day: string, sealed: string) => `${owner} ${day} ${sealed}`;

  return {
    ofToday(owner: string): Promise<DailyKey> {
      const day = new Date(now()).toISOString().slice(0, 10);
      return cachedRead(today, `${owner} ${day}`, async () => {
        const made = await dataKeys.generate(contextOf(owner, day));
        decrypted.set(nameOf(owner, day, made.sealed), Promise.resolve(made.key));
        return { ...made, day };
      });
    },

    decrypt: (owner: string, { day, sealed }: { day: string; sealed: string }): Promise<Uint8Array> =>
      cachedRead(decrypted, nameOf(owner, day, sealed), () => dataKeys.decrypt(sealed, contextOf(owner, day))),
  };
}

/**
 * The object that has the fields. It and its owner are authenticated data, so that the sealed fields of another one
 * cannot be substituted.
 */
export interface Holder {
  id: AccountId | WebhookId | WorkflowId | OAuthClientId | SignInId | SessionId;
  /** Clients of OAuth, and sessions of people, belong to the operator. */
  ownerId: UserId | typeof OPERATOR;
  /** The refresh token of an account, sealed apart from its fields. */
  part?: 'renewal';
}

const OPERATOR = 'operator';

/** Envelope encryption: fields are encrypted by a data key, which a KMS key encrypts. */
export type Vault = ReturnType<typeof createVault>;

/** The permissions of functions name these. */
const contextOf = ({ id, ownerId, part }: Holder) => ({ owner: ownerId, [part ?? kindOfHolder(id)]: id });

function kindOfHolder(id: Holder['id']): 'account' | 'client' | 'attempt' | 'session' | 'listener' {
  if (hasKind('account', id)) return 'account';
  if (hasKind('oauthClient', id)) return 'client';
  if (hasKind('session', id)) return 'session';
  return hasKind('signIn', id) ? 'attempt' : 'listener';
}

const authenticated = ({ id, ownerId, part }: Holder) => [ownerId, id, ...(part === undefined ? [] : [part])];

/** A ciphertext of a shared key is bound to its webhook by this alone. */
const authenticatedOnDay = ({ id, ownerId }: Holder, day: string) => [ownerId, id, 'webhooks', day];

/**
 * Webhooks of an owner share data keys, because each function that delivers decrypts the secrets of all of them. Every
 * other object has a data key of its own, bound to the object by its encryption context.
 */
export function createVault(kms: () => KMSClient, keyArn: string, now: () => number) {
  const dataKeys = createDataKeys(kms, keyArn);
  const dailyKeys = createDailyKeys(dataKeys, now);
  return {
    async encrypt(holder: Holder, fields: SecretFields): Promise<SealedFields> {
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

    async decrypt({ sealed, ...holder }: Holder & { sealed: SealedFields }): Promise<SecretFields> {
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
