import * as z from 'zod';
import { UserId } from '../../domain/id.ts';
import { DAY_MS } from '../../lib/durations.ts';
import { billingPeriod } from '../../domain/user/billing-period.ts';
import { User, UserPlan } from '../../domain/user/user.ts';
import { changeCurrent } from '../table/change-current.ts';
import { changeItem } from '../table/change-item.ts';
import { allUsersKey, apiKeyKey, userKey, usernameKey, USERS_PARTITION } from '../table/keys.ts';
import { readItems, readOne } from '../table/read-items.ts';
import {
  batchGet,
  getItem,
  type Key,
  queryAll,
  type TableOptions,
  transact,
  wholePartition,
} from '../table/table-client.ts';
import { usageStore } from './usage.ts';

export type UserLookup = ReturnType<typeof userLookup>;

const ApiKey = z.object({
  userId: UserId,
  /** Addresses from which the key may be used; without them, from any. */
  onlyFrom: z.array(z.string()).optional(),
  /** The user is suspended since then, epoch ms. */
  suspendedAt: z.number().optional(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A key that a newer one of its user replaced. It names no user. */
const ReplacedKey = z.object({
  /** Epoch ms. */
  replacedAt: z.number(),
});
export type ReplacedKey = z.infer<typeof ReplacedKey>;

/** The hash of a replaced key is kept for this time. */
const REPLACED_KEPT_MS = 30 * DAY_MS;

/** Reads users, for functions. */
export function userLookup(table: TableOptions) {
  return {
    async find(id: UserId): Promise<User | undefined> {
      const Item = await getItem(table, userKey(id));
      return Item && readOne(id, () => User.parse(Item));
    },

    findKey,

    /** An API key that works, by its hash. */
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
      const isNew = { ConditionExpression: 'attribute_not_exists(pk)' };
      const result = await transact(table, [
        keyFor(user.keyHash, user),
        { Put: { TableName, Item: { ...usernameKey(user.username), userId: user.id }, ...isNew } },
        { Put: { TableName, Item: { ...userKey(user.id), ...user } } },
        { Put: { TableName, Item: allUsersKey(user.id) } },
      ]);
      if (result.ok) return 'created';
      return result.failed === 0 ? 'key taken' : 'name taken';
    },

    list,
    ids,

    /**
     * The new key works at once; caches may accept the old key for up to 60 s. With `replacedAt`, the old key is known as a replaced one for
     * 30 days. False when the user does not exist.
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
            keyFor(keyHash, user),
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
     * Replaces the key for commands on the machine of the service, which has these addresses, or removes it. False when the user does not
     * exist.
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
        ...(localKey === undefined ? [] : [keyFor(localKey.hash, user, localKey.onlyFrom)]),
        ...(before === undefined ? [] : [{ Delete: { TableName, Key: apiKeyKey(before) } }]),
      ]);
      return result.ok;
    },

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

    /**
     * Suspends the user and its keys from this time on, or ends that without a time. Caches may accept a key for up to 60 s more. False when
     * the user does not exist.
     */
    async setSuspension(id: UserId, suspendedAt: number | undefined): Promise<boolean> {
      const isSet = await changeCurrent({
        find: () => users.find(id),
        write: async (user) => {
          const hashes = await workingHashes(user);
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

    /** Removes the user and its keys. The caller removes what the user owns before. */
    async remove(id: UserId): Promise<boolean> {
      const user = await users.find(id);
      if (!user) return false;
      const result = await transact(table, [
        { Delete: { TableName, Key: userKey(id), ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: apiKeyKey(user.keyHash) } },
        ...(user.localKeyHash === undefined
          ? []
          : [{ Delete: { TableName, Key: apiKeyKey(user.localKeyHash) } }]),
        { Delete: { TableName, Key: usernameKey(user.username) } },
        { Delete: { TableName, Key: allUsersKey(id) } },
      ]);
      return result.ok;
    },
  };

  /** Hashes of the user's keys. Only a repair by hand leaves one without its item: that key does not work, and a new one replaces it. */
  async function workingHashes({ keyHash, localKeyHash }: User): Promise<string[]> {
    const hashes = [keyHash, ...(localKeyHash === undefined ? [] : [localKeyHash])];
    const found = await Promise.all(hashes.map((hash) => users.findByKeyHash(hash)));
    return hashes.filter((_, index) => found[index] !== undefined);
  }

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

  function keyFor(
    hash: string,
    { id: userId, suspendedAt }: Pick<User, 'id' | 'suspendedAt'>,
    onlyFrom?: readonly string[],
  ) {
    return {
      Put: {
        TableName,
        Item: {
          ...apiKeyKey(hash),
          userId,
          ...(onlyFrom === undefined ? {} : { onlyFrom }),
          ...(suspendedAt === undefined ? {} : { suspendedAt }),
        },
        ConditionExpression: 'attribute_not_exists(pk) OR attribute_exists(replacedAt)',
      },
    };
  }
}

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
