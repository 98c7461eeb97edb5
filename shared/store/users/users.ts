import * as z from 'zod';
import { UserId } from '../../domain/id.ts';
import { billingPeriod } from '../../domain/user/billing-period.ts';
import { ApiKey, USE_STORED_MS } from '../../domain/user/api-key.ts';
import { User, UserPlan } from '../../domain/user/user.ts';
import { changeItem } from '../table/change-item.ts';
import { allUsersKey, apiKeyKey, userKey, usernameKey, USERS_PARTITION } from '../table/keys.ts';
import {
  updateItem,
  batchGet,
  getItem,
  IS_NEW,
  queryAll,
  type TableOptions,
  transact,
  wholePartition,
} from '../table/table-client.ts';
import { readItems, readOne } from '../table/read-items.ts';
import { usageStore } from './usage.ts';
import { keyPut } from './key-item.ts';
import { keyLists } from './key-lists.ts';
import { userKeys } from './user-keys.ts';

export type UserLookup = ReturnType<typeof userLookup>;

/** A key that a newer one of its user replaced. It names no user. */
const ReplacedKey = z.object({
  /** Epoch ms. */
  replacedAt: z.number(),
});
export type ReplacedKey = z.infer<typeof ReplacedKey>;

/** Reads users, for functions. */
export function userLookup(table: TableOptions) {
  return {
    async find(id: UserId): Promise<User | undefined> {
      const Item = await getItem(table, userKey(id));
      return Item && readOne(id, () => User.parse(Item));
    },

    findKey,

    /** Hashes of the keys of a user beside the first, and of earlier secrets. Some may have expired. */
    async listedHashes(id: UserId): Promise<string[]> {
      const { keys, retired } = await keyLists(table).read(id);
      return [...keys, ...retired].map(({ hash }) => hash);
    },

    /** Stores the time of a use, unless another instance has stored one within the hour. */
    async storeUse(hash: string, at: number): Promise<void> {
      await updateItem(table, {
        Key: { ...apiKeyKey(hash) },
        UpdateExpression: 'SET lastUsedAt = :at',
        ConditionExpression: 'attribute_exists(userId) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :before)',
        ExpressionAttributeValues: { ':at': at, ':before': at - USE_STORED_MS },
      });
    },

    /** An API key by its hash, unless it was replaced. It may have expired. */
    async findByKeyHash(hash: string): Promise<ApiKey | undefined> {
      const found = await findKey(hash);
      return found && 'userId' in found ? found : undefined;
    },
  };

  /** An API key by its hash, also one that was replaced. */
  async function findKey(hash: string): Promise<ApiKey | ReplacedKey | undefined> {
    const Item = await getItem(table, apiKeyKey(hash));
    return Item && readOne('your API key', () => z.union([ReplacedKey, ApiKey]).parse(Item));
  }
}

export type UserStore = ReturnType<typeof userStore>;

/** Manages users, for the operator's commands. */
export function userStore(table: TableOptions) {
  const { tableName: TableName } = table;
  const users = userLookup(table);

  return {
    ...users,

    /** Refuses a name or a key that another user has. */
    async create(user: User): Promise<'created' | 'name taken' | 'key taken'> {
      // Users of earlier releases have no name item. The name can be read although other parts of the user cannot.
      if ((await items()).some(({ username }) => username === user.username)) return 'name taken';
      const result = await transact(table, [
        keyPut(TableName, { hash: user.keyHash, user }),
        { Put: { TableName, Item: { ...usernameKey(user.username), userId: user.id }, ...IS_NEW } },
        { Put: { TableName, Item: { ...userKey(user.id), ...user } } },
        { Put: { TableName, Item: allUsersKey(user.id) } },
      ]);
      if (result.ok) return 'created';
      return result.failed === 0 ? 'key taken' : 'name taken';
    },

    ...userKeys(table, users),
    removeListedKeys: keyLists(table).removeAll,
    list,
    ids,

    /** False when the user does not exist. Runs of the same hour before the plan became `paid` are not billed. */
    async setPlan(id: UserId, plan: UserPlan): Promise<boolean> {
      const user = await users.find(id);
      if (!user) return false;
      const change = {
        ...Object.fromEntries(Object.keys(UserPlan.shape).map((name) => [name, Reflect.get(plan, name)])),
        unbilledInHour: await unbilledOf(user, plan),
      };
      return (await changeItem(table, userKey(id), { change })) !== undefined;
    },

    /** Removes the user and its keys. The caller removes what the user owns before. */
    async remove(id: UserId): Promise<boolean> {
      const user = await users.find(id);
      if (!user) return false;
      const result = await transact(table, [
        { Delete: { TableName, Key: userKey(id), ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: apiKeyKey(user.keyHash) } },
        ...(user.localKeyHash === undefined ? [] : [{ Delete: { TableName, Key: apiKeyKey(user.localKeyHash) } }]),
        { Delete: { TableName, Key: usernameKey(user.username) } },
        { Delete: { TableName, Key: allUsersKey(id) } },
      ]);
      return result.ok;
    },
  };

  /** Oldest first, also those whose items cannot be read. */
  async function ids(): Promise<UserId[]> {
    const pointers = await queryAll(table, wholePartition(USERS_PARTITION));
    return pointers.map(({ sk }) => UserId.parse(sk));
  }

  async function items(): Promise<Record<string, unknown>[]> {
    return batchGet(table, (await ids()).map(userKey));
  }

  /** Oldest first. */
  async function list(): Promise<User[]> {
    const found = readItems(table, await items(), (item) => User.parse(item));
    return found.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async function unbilledOf(user: User, { plan, paidSince }: UserPlan): Promise<number | undefined> {
    if (plan !== 'paid' || paidSince === undefined) return undefined;
    if (user.paidSince === paidSince) return user.unbilledInHour;
    return usageStore(table).ofPeriod(user.id, billingPeriod(paidSince, paidSince));
  }
}
