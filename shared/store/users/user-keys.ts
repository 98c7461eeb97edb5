import type { UserId } from '../../domain/id.ts';
import type { User } from '../../domain/user/user.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { changeCurrent } from '../table/change-current.ts';
import { apiKeyKey, userKey } from '../table/keys.ts';
import { type Key, type TableOptions, transact } from '../table/table-client.ts';

/** The hash of a replaced key is kept for this time. */
const REPLACED_KEPT_MS = 30 * DAY_MS;

interface Lookup {
  find(id: UserId): Promise<User | undefined>;
  findByKeyHash(hash: string): Promise<unknown>;
}

/** Changes of a user together with its keys. */
export function userKeys(table: TableOptions, users: Lookup) {
  const { tableName: TableName } = table;

  return {
    /**
     * The new key works at once; caches may accept the old key for up to 60 s. With `replacedAt`, the old key is known
     * as a replaced one for 30 days. False when the user does not exist.
     */
    async rotateKey(id: UserId, keyHash: string, replacedAt?: number): Promise<boolean> {
      const isRotated = await changeCurrent({
        find: () => users.find(id),
        write: async (user) => {
          if (user.keyHash === keyHash) return true;
          const result = await transact(table, [
            {
              Update: {
                TableName,
                Key: userKey(id),
                UpdateExpression: 'SET keyHash = :new',
                ConditionExpression: 'keyHash = :old',
                ExpressionAttributeValues: { ':new': keyHash, ':old': user.keyHash },
              },
            },
            keyPut(TableName, { hash: keyHash, user }),
            replacedAt === undefined
              ? { Delete: { TableName, Key: apiKeyKey(user.keyHash) } }
              : { Put: { TableName, Item: replacedItem(user.keyHash, replacedAt) } },
          ]);
          if (!result.ok && result.failed === 1) throw new Error('Another user has this key');
          return result.ok;
        },
      });
      return isRotated ?? false;
    },

    /**
     * Replaces the key for commands on the machine of the service, which has these addresses, or removes it. False when
     * the user does not exist.
     */
    async setLocalKey(
      id: UserId,
      localKey: { hash: string; onlyFrom: readonly string[] } | undefined,
    ): Promise<boolean> {
      const localKeyHash = localKey?.hash;
      const user = await users.find(id);
      if (!user) return false;
      if (user.localKeyHash === localKeyHash) return true;
      const before = user.localKeyHash;
      const result = await transact(table, [
        {
          Update: {
            TableName,
            Key: userKey(id),
            ConditionExpression:
              before === undefined
                ? 'attribute_exists(pk) AND attribute_not_exists(localKeyHash)'
                : 'localKeyHash = :old',
            UpdateExpression: localKeyHash === undefined ? 'REMOVE localKeyHash' : 'SET localKeyHash = :new',
            // At least one is set, because the two differ.
            ExpressionAttributeValues: {
              ...(localKeyHash === undefined ? {} : { ':new': localKeyHash }),
              ...(before === undefined ? {} : { ':old': before }),
            },
          },
        },
        ...(localKey === undefined ? [] : [keyPut(TableName, { ...localKey, user })]),
        ...(before === undefined ? [] : [{ Delete: { TableName, Key: apiKeyKey(before) } }]),
      ]);
      return result.ok;
    },

    /**
     * Suspends the user and its keys from this time on, or ends that without a time. Caches may accept a key for up to
     * 60 s more. False when the user does not exist.
     */
    async setSuspension(id: UserId, suspendedAt: number | undefined): Promise<boolean> {
      const isSet = await changeCurrent({
        find: () => users.find(id),
        write: async (user) => {
          const hashes = await workingHashes(users, user);
          const { ok } = await transact(table, [
            { Update: { TableName, ...suspensionOf(userKey(id), suspendedAt, 'attribute_exists(pk)') } },
            ...hashes.map((hash) => ({
              // A key that was replaced meanwhile names no user.
              Update: {
                TableName,
                ...suspensionOf(apiKeyKey(hash), suspendedAt, 'attribute_exists(userId)'),
              },
            })),
          ]);
          return ok;
        },
      });
      return isSet ?? false;
    },
  };
}

/**
 * Hashes of the user's keys. Only a repair by hand leaves one without its item: that key does not work, and a new one
 * replaces it.
 */
async function workingHashes(users: Lookup, { keyHash, localKeyHash }: User): Promise<string[]> {
  const hashes = [keyHash, ...(localKeyHash === undefined ? [] : [localKeyHash])];
  const found = await Promise.all(hashes.map((hash) => users.findByKeyHash(hash)));
  return hashes.filter((_, index) => found[index] !== undefined);
}

/** The item of a key. `onlyFrom` are the addresses from which it may be used; without them, from any. */
export const keyPut = (
  TableName: string,
  { hash, user, onlyFrom }: { hash: string; user: Pick<User, 'id' | 'suspendedAt'>; onlyFrom?: readonly string[] },
) => ({
  Put: {
    TableName,
    Item: {
      ...apiKeyKey(hash),
      userId: user.id,
      ...(onlyFrom === undefined ? {} : { onlyFrom }),
      ...(user.suspendedAt === undefined ? {} : { suspendedAt: user.suspendedAt }),
    },
    ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(replacedAt)',
  },
});

const suspensionOf = (key: Key, suspendedAt: number | undefined, condition: string) => ({
  Key: { ...key },
  ConditionExpression: condition,
  ...(suspendedAt === undefined
    ? { UpdateExpression: 'REMOVE suspendedAt' }
    : { UpdateExpression: 'SET suspendedAt = :at', ExpressionAttributeValues: { ':at': suspendedAt } }),
});

const replacedItem = (hash: string, replacedAt: number) => ({
  ...apiKeyKey(hash),
  replacedAt,
  expiresAt: Math.floor((replacedAt + REPLACED_KEPT_MS) / 1_000),
});
