import type { UserId } from '../../domain/id.ts';
import { firstKeyId } from '../../domain/user/api-key.ts';
import type { User } from '../../domain/user/user.ts';
import { changeCurrent } from '../table/change-current.ts';
import { changeItem } from '../table/change-item.ts';
import { apiKeyKey, userKey } from '../table/keys.ts';
import { type Key, type TableOptions, transact, type Writes } from '../table/table-client.ts';
import { keyPut, replacedItem } from './key-item.ts';
import { keyListPut, keyLists } from './key-lists.ts';

interface Lookup {
  find(id: UserId): Promise<User | undefined>;
  findByKeyHash(hash: string): Promise<unknown>;
}

/** Changes of a user together with its keys. */
export function userKeys(table: TableOptions, users: Lookup) {
  const { tableName: TableName } = table;

  return {
    /**
     * The new key works at once; caches may accept the old key, and one that an overlap kept, for up to 60 s. With
     * `replacedAt`, the old key is known as a replaced one for 30 days. False when the user does not exist.
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
                ...suspendedAs(user, 'keyHash = :old', { ':new': keyHash, ':old': user.keyHash }),
              },
            },
            keyPut(TableName, { hash: keyHash, user }),
            replacedAt === undefined
              ? { Delete: { TableName, Key: apiKeyKey(user.keyHash) } }
              : { Put: { TableName, Item: replacedItem(user.keyHash, replacedAt) } },
            ...(await endRetired(table, user, keyHash)),
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
    async setLocalKey(id: UserId, localKey: { hash: string; onlyFrom: string[] } | undefined): Promise<boolean> {
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
            UpdateExpression: localKeyHash === undefined ? 'REMOVE localKeyHash' : 'SET localKeyHash = :new',
            ...suspendedAs(
              user,
              before === undefined
                ? 'attribute_exists(pk) AND attribute_not_exists(localKeyHash)'
                : 'localKeyHash = :old',
              // At least one is set, because the two differ.
              {
                ...(localKeyHash === undefined ? {} : { ':new': localKeyHash }),
                ...(before === undefined ? {} : { ':old': before }),
              },
            ),
          },
        },
        ...(localKey === undefined ? [] : [keyPut(TableName, { ...localKey, user })]),
        ...(before === undefined ? [] : [{ Delete: { TableName, Key: apiKeyKey(before) } }]),
      ]);
      return result.ok;
    },

    setSuspension: createSuspension(table, users),
  };
}

/**
 * Suspends the user and its keys from this time on, or ends that without a time. Caches may accept a key for up to
 * 60 s more. False when the user does not exist.
 */
function createSuspension(table: TableOptions, users: Lookup) {
  const { tableName: TableName } = table;
  return async (id: UserId, suspendedAt: number | undefined): Promise<boolean> => {
    // A suspended user adds no key. The mark of the user ends last: a repetition finds it.
    if (suspendedAt === undefined) await suspendListed(table, id, suspendedAt);
    const isSet = await changeCurrent({
      find: () => users.find(id),
      write: async (user) => {
        const hashes = await workingHashes(users, user);
        const { ok } = await transact(table, [
          { Update: { TableName, ...suspensionOf(userKey(id), suspendedAt, ['keyHash', user.keyHash]) } },
          ...hashes.map((hash) => ({
            // A key that was replaced meanwhile names no user.
            Update: { TableName, ...suspensionOf(apiKeyKey(hash), suspendedAt, ['userId', id]) },
          })),
        ]);
        return ok;
      },
    });
    if (suspendedAt !== undefined) await suspendListed(table, id, suspendedAt);
    return isSet ?? false;
  };
}

/** Marks the keys beside the first one, or removes the mark. */
async function suspendListed(table: TableOptions, id: UserId, suspendedAt: number | undefined): Promise<void> {
  const { keys, retired } = await keyLists(table).read(id);
  for (const { hash } of [...keys, ...retired]) await changeItem(table, apiKeyKey(hash), { change: { suspendedAt } });
}

/** The condition, and that the user is suspended or not as it was read: its new key has the same mark. */
const suspendedAs = ({ suspendedAt }: User, condition: string, values: Record<string, string>) => ({
  ConditionExpression: `${condition} AND ${suspendedAt === undefined ? 'attribute_not_exists(suspendedAt)' : 'suspendedAt = :suspended'}`,
  ExpressionAttributeValues: { ...values, ...(suspendedAt === undefined ? {} : { ':suspended': suspendedAt }) },
});

/** Ends the earlier secret of the first key that a rotation by its user left working. The new key may be such a one. */
async function endRetired(table: TableOptions, { id, keyHash: current }: User, keyHash: string): Promise<Writes> {
  const { tableName: TableName } = table;
  const list = await keyLists(table).read(id);
  const isEnded = (each: { id: string; hash: string }) => each.id === firstKeyId(id) && each.hash !== keyHash;
  const retired = list.retired.filter((each) => !isEnded(each) && each.hash !== keyHash);
  if (retired.length === list.retired.length) return [];
  // An earlier state of the list may name the current key, whose item the rotation itself replaces.
  const ended = list.retired.filter((each) => isEnded(each) && each.hash !== current);
  return [
    keyListPut(TableName, id, { list, next: { ...list, retired } }),
    ...ended.map(({ hash }) => ({ Delete: { TableName, Key: apiKeyKey(hash) } })),
  ];
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

/** The change of an item whose field has this value. */
const suspensionOf = (key: Key, suspendedAt: number | undefined, [field, value]: [field: string, value: string]) => ({
  Key: { ...key },
  ConditionExpression: `${field} = :value`,
  UpdateExpression: suspendedAt === undefined ? 'REMOVE suspendedAt' : 'SET suspendedAt = :at',
  ExpressionAttributeValues: { ':value': value, ...(suspendedAt === undefined ? {} : { ':at': suspendedAt }) },
});
