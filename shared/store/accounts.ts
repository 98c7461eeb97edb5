import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { Account } from '../domain/account/account.ts';
import { AccountId, type UserId } from '../domain/id.ts';
import { changeItem } from './change-item.ts';
import { ACCOUNT_LIST_PREFIX, accountKey, accountListKey, userPartition } from './keys.ts';
import { type Filter, type Page, type PageRequest, pointedIds, readFilteredPage } from './page.ts';
import { batchGet, beginningWith, queryAll, type TableOptions, transact } from './table-client.ts';

export type AccountStore = ReturnType<typeof accountStore>;

type Changeable = Omit<Account, 'id' | 'ownerId' | 'app' | 'createdAt' | 'version'>;

/** Undefined fields are removed; absent fields stay. */
export type AccountChange = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

/** Connected accounts. Their fields are encrypted by the caller. */
export function accountStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  return {
    async find(id: AccountId): Promise<Account | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName, Key: accountKey(id), ConsistentRead: true }),
      );
      return Item && Account.parse(Item);
    },

    /** Oldest first. */
    async list(ownerId: UserId): Promise<Account[]> {
      const pointers = await queryAll(table, beginningWith(userPartition(ownerId), ACCOUNT_LIST_PREFIX));
      const keys = pointers.map(({ sk }) =>
        accountKey(AccountId.parse(String(sk).slice(ACCOUNT_LIST_PREFIX.length))),
      );
      const found = (await batchGet(table, keys)).map((item) => Account.parse(item));
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /** Newest first. */
    listOf: (ownerId: UserId, request: PageRequest, filter: Filter<Account>): Promise<Page<Account>> =>
      readFilteredPage({
        scope: { list: 'accounts', ownerId },
        request,
        filter,
        ids: () => pointedIds(table, { list: 'accounts', ownerId }),
        read: async (ids) => {
          const keys = ids.map((id) => accountKey(AccountId.parse(id)));
          return (await batchGet(table, keys)).map((item) => Account.parse(item));
        },
      }),

    async create(account: Account): Promise<void> {
      const { id, ownerId } = account;
      await transact(table, [
        { Put: { TableName, Item: { ...accountKey(id), ...account } } },
        { Put: { TableName, Item: accountListKey(ownerId, id) } },
      ]);
    },

    /** Changes an account that was read before. Undefined when it was changed or deleted meanwhile. */
    async change({ id, version }: Account, change: AccountChange): Promise<Account | undefined> {
      const written = await changeItem(table, accountKey(id), { change, version });
      return written && Account.parse(written);
    },

    async remove({ id, ownerId }: Pick<Account, 'id' | 'ownerId'>): Promise<void> {
      await transact(table, [
        { Delete: { TableName, Key: accountKey(id) } },
        { Delete: { TableName, Key: accountListKey(ownerId, id) } },
      ]);
    },
  };
}
