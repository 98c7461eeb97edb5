import * as z from 'zod';
import { Account, nameOfAccount } from '../../domain/account/account.ts';
import { AccountId, type UserId } from '../../domain/id.ts';
import { changeCurrent } from '../table/change-current.ts';
import { changeItem, itemUpdate } from '../table/change-item.ts';
import { countDown, countUp, limitReached, readCounts } from '../table/counts.ts';
import {
  ACCOUNT_LIST_PREFIX,
  accountKey,
  accountListKey,
  accountNameKey,
  accountNamePrefix,
  userPartition,
} from '../table/keys.ts';
import { type Filter, type Page, type PageRequest, pointedIds, readFilteredPage, pointedItems } from '../table/page.ts';
import { readItems, readOne } from '../table/read-items.ts';
import {
  batchGet,
  beginningWith,
  getItem,
  IS_NEW,
  queryAll,
  type TableOptions,
  transact,
} from '../table/table-client.ts';

export type AccountStore = ReturnType<typeof accountStore>;

type Changeable = Omit<Account, 'id' | 'ownerId' | 'app' | 'name' | 'hasReservedName' | 'createdAt' | 'version'>;

/** Undefined fields are removed; absent fields stay. */
export type AccountChange = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

/** An account with a name of its own among those of its app. */
export type NamedAccount = Account & { name: string; hasReservedName: true };

const keyOf = (id: string) => accountKey(AccountId.parse(id));

/** Connected accounts. Their fields are encrypted by the caller. */
export function accountStore(table: TableOptions) {
  async function find(id: AccountId): Promise<Account | undefined> {
    const Item = await getItem(table, accountKey(id));
    return Item && readOne(id, () => Account.parse(Item));
  }

  return {
    find,
    ...accountWrites(table, find),

    /** Oldest first. */
    async list(ownerId: UserId): Promise<Account[]> {
      const pointers = await queryAll(table, beginningWith(userPartition(ownerId), ACCOUNT_LIST_PREFIX));
      const keys = pointers.map(({ sk }) => keyOf(String(sk).slice(ACCOUNT_LIST_PREFIX.length)));
      const found = readItems(table, await batchGet(table, keys), (item) => Account.parse(item));
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** Newest first. */
    listOf: (ownerId: UserId, request: PageRequest, filter?: Filter<Account>): Promise<Page<Account>> =>
      readFilteredPage({
        scope: { list: 'accounts', ownerId },
        request,
        filter,
        ids: () => pointedIds(table, { list: 'accounts', ownerId }),
        read: async (ids) => readItems(table, await batchGet(table, ids.map(keyOf)), (item) => Account.parse(item)),
      }),

    async countByApp(ownerId: UserId): Promise<ReadonlyMap<string, number>> {
      const counts = new Map<string, number>();
      for await (const items of pointedItems(table, { list: 'accounts', ownerId, keyOf })) {
        for (const item of items) {
          const { app } = Account.pick({ app: true }).parse(item);
          counts.set(app, (counts.get(app) ?? 0) + 1);
        }
      }
      return counts;
    },

    /** Names of a user's accounts of one app. Those of earlier releases are not among them. */
    async takenNames(ownerId: UserId, app: string): Promise<ReadonlySet<string>> {
      const items = await queryAll(table, beginningWith(userPartition(ownerId), accountNamePrefix(app)));
      return new Set(items.map((item) => z.object({ name: z.string() }).parse(item).name));
    },

    /** Refuses early: `create` decides. */
    async checkLimit(ownerId: UserId, limit: number): Promise<void> {
      const { accounts } = await readCounts(table, ownerId);
      if (accounts >= limit) throw limitReached('accounts', limit);
    },
  };
}

function accountWrites(table: TableOptions, find: (id: AccountId) => Promise<Account | undefined>) {
  const { tableName: TableName } = table;
  return {
    /** False when another account of the app has the name. */
    async create(account: NamedAccount, limit: number): Promise<boolean> {
      const { id, ownerId } = account;
      const result = await transact(table, [
        { Put: { TableName, Item: { ...accountKey(id), ...account }, ...IS_NEW } },
        namePut(account, account.name),
        countUp(TableName, ownerId, { counted: 'accounts', limit }),
        { Put: { TableName, Item: accountListKey(ownerId, id) } },
      ]);
      if (result.ok) return true;
      if (result.failed === 1) return false;
      if (result.failed === 2) throw limitReached('accounts', limit);
      throw new Error(`An account with the id ${id} exists`);
    },

    /** Changes an account that was read before. Undefined when it was changed or deleted meanwhile. */
    async change({ id, version }: Account, change: AccountChange): Promise<Account | undefined> {
      const written = await changeItem(table, accountKey(id), { change, version });
      return written && Account.parse(written);
    },

    /** The same, with another name. An account of an earlier release counts towards the limit from then on. */
    async rename(
      account: Account,
      name: string,
      { limit, ...change }: AccountChange & { limit: number },
    ): Promise<Account | 'name_taken' | undefined> {
      const { id, ownerId, version, hasReservedName } = account;
      const changed = { ...change, name, hasReservedName: true };
      const result = await transact(table, [
        { Update: itemUpdate(TableName, accountKey(id), { change: changed, version }) },
        namePut(account, name),
        hasReservedName === true ? nameDelete(account) : countUp(TableName, ownerId, { counted: 'accounts', limit }),
      ]);
      if (result.ok) return Account.parse({ ...account, ...changed, version: version + 1 });
      if (result.failed === 0) return undefined;
      if (result.failed === 1) return 'name_taken';
      throw limitReached('accounts', limit);
    },

    /** False when it was removed before. */
    async remove(read: Account): Promise<boolean> {
      const isRemoved = await changeCurrent<Account, true>({
        read,
        find: () => find(read.id),
        write: async (account) => {
          const { id, ownerId, hasReservedName } = account;
          const { ok } = await transact(table, [
            { Delete: { TableName, Key: accountKey(id), ...stillNamed(account) } },
            { Delete: { TableName, Key: accountListKey(ownerId, id) } },
            ...(hasReservedName === true ? [nameDelete(account), countDown(TableName, ownerId, 'accounts')] : []),
          ]);
          return ok;
        },
      });
      return isRemoved ?? false;
    },
  };

  function namePut({ id, ownerId, app }: Account, name: string) {
    const Item = { ...accountNameKey(ownerId, app, name), name, accountId: id };
    return { Put: { TableName, Item, ...IS_NEW } };
  }

  function nameDelete(account: Account) {
    const Key = accountNameKey(account.ownerId, account.app, nameOfAccount(account));
    return { Delete: { TableName, Key } };
  }
}

/** The condition that an account exists under the name that was read, whose item goes with it. */
const stillNamed = (account: Account) =>
  account.hasReservedName === true
    ? {
        ConditionExpression: '#name = :name',
        ExpressionAttributeNames: { '#name': 'name' },
        ExpressionAttributeValues: { ':name': nameOfAccount(account) },
      }
    : { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(hasReservedName)' };
