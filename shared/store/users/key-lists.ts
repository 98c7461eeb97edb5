import * as z from 'zod';
import { ApiKeyId, type UserId } from '../../domain/id.ts';
import { ApiKey } from '../../domain/user/api-key.ts';
import { batchWrite, removals } from '../table/batch-write.ts';
import {
  batchGet,
  getItem,
  IS_NEW,
  type Key,
  type TableOptions,
  transact,
  type Writes,
} from '../table/table-client.ts';
import { apiKeyKey, keyListKey, userKey } from '../table/keys.ts';
import { readOne } from '../table/read-items.ts';
import { keyItem } from './key-item.ts';

const Entry = z.object({ id: ApiKeyId, hash: z.string() });

/** The keys of a user beside the first, and the earlier secrets that rotations left working. */
const KeyList = z.object({
  version: z.number().default(0),
  keys: z.array(Entry).default([]),
  /** At most one of each key. */
  retired: z.array(Entry.extend({ until: z.number() })).default([]),
});
export type KeyList = z.infer<typeof KeyList>;

export interface KeyListChange {
  /** The list that was read. */
  list: KeyList;
  /** The lists to store. */
  next: Pick<KeyList, 'keys' | 'retired'>;
  /** The item of the key of the request, or of the session in its place. */
  callerItem: Key;
  writes: readonly KeyWrite[];
  /** Replaces the hash of the first key in the item of the user. */
  firstHash?: { from: string; to: string };
}

/** A change of the item of one key. Without `key`, the item is removed. */
export interface KeyWrite {
  hash: string;
  key?: ApiKey;
  /** Whether the item must not exist yet. Otherwise it must exist. */
  isNew?: boolean;
}

export type KeyLists = ReturnType<typeof keyLists>;

export function keyLists(table: TableOptions) {
  const { tableName: TableName } = table;
  return { read, found, change, removeAll };

  async function read(userId: UserId): Promise<KeyList> {
    const item = await getItem(table, keyListKey(userId));
    return readOne('your API keys', () => KeyList.parse(item ?? {}));
  }

  /** The items of keys, by hash. Those of keys that expired a month ago are gone. */
  async function found(hashes: readonly string[]): Promise<ReadonlyMap<string, ApiKey>> {
    const items = await batchGet(
      table,
      hashes.map((hash) => apiKeyKey(hash)),
    );
    const byPartition = new Map(items.map((item) => [item['pk'], item]));
    return new Map(
      hashes.flatMap((hash): [string, ApiKey][] => {
        const item = byPartition.get(apiKeyKey(hash).pk);
        return item && 'userId' in item ? [[hash, readOne('your API keys', () => ApiKey.parse(item))]] : [];
      }),
    );
  }

  /**
   * Changes keys while the key or the session of the request exists and the user is not suspended. False if one of
   * them, or the list, has changed since it was read.
   */
  async function change(
    userId: UserId,
    { list, next, callerItem, writes, firstHash }: KeyListChange,
  ): Promise<boolean> {
    const isActive = 'attribute_exists(pk) AND attribute_not_exists(suspendedAt)';
    const user = { TableName, Key: { ...userKey(userId) } };
    const result = await transact(table, [
      firstHash === undefined
        ? { ConditionCheck: { ...user, ConditionExpression: isActive } }
        : {
            Update: {
              ...user,
              UpdateExpression: 'SET keyHash = :to',
              ConditionExpression: `${isActive} AND keyHash = :from`,
              ExpressionAttributeValues: { ':from': firstHash.from, ':to': firstHash.to },
            },
          },
      keyListPut(TableName, userId, { list, next }),
      // One transaction takes one operation of each item.
      ...(writes.some(({ hash }) => apiKeyKey(hash).pk === callerItem.pk)
        ? []
        : [{ ConditionCheck: { TableName, Key: { pk: callerItem.pk, sk: callerItem.sk }, ...isOf(userId) } }]),
      ...writes.map((write) => written(write, userId)),
    ]);
    return result.ok;
  }

  function written({ hash, key, isNew = false }: KeyWrite, userId: UserId): Writes[number] {
    if (key === undefined) return { Delete: { TableName, Key: { ...apiKeyKey(hash) } } };
    const Item = keyItem(hash, key);
    return { Put: { TableName, Item, ...(isNew ? IS_NEW : isOf(userId)) } };
  }

  /** Removes the keys of a list, and then the list. No request changes it while its user is suspended or gone. */
  async function removeAll(userId: UserId): Promise<void> {
    const { keys, retired } = await read(userId);
    await batchWrite(table, removals([...keys, ...retired].map(({ hash }) => apiKeyKey(hash))));
    await batchWrite(table, removals([keyListKey(userId)]));
  }
}

/** Stores the list of keys, unless it has changed since it was read. */
export const keyListPut = (
  TableName: string,
  userId: UserId,
  { list: { version }, next }: Pick<KeyListChange, 'list' | 'next'>,
) => ({
  Put: {
    TableName,
    Item: { ...keyListKey(userId), ...next, version: version + 1 },
    ...(version === 0
      ? IS_NEW
      : { ConditionExpression: 'version = :read', ExpressionAttributeValues: { ':read': version } }),
  },
});

/** The condition that a key, or a session, still works for its user. */
const isOf = (userId: UserId) => ({
  ConditionExpression: 'userId = :userId AND attribute_not_exists(suspendedAt)',
  ExpressionAttributeValues: { ':userId': userId },
});
