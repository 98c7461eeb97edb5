import { AccountId, type OAuthClientId } from '../../domain/id.ts';
import { LoginPosition } from '../../domain/oauth/login-position.ts';
import { oauthLoginKey, oauthLoginPrefix, oauthLoginsPartition } from '../table/keys.ts';
import { deleteItem, putItem } from '../table/item-writes.ts';
import { beginningWith, queryAll, queryPages, type TableOptions, wholePartition } from '../table/table-client.ts';

export type OAuthLoginStore = ReturnType<typeof oauthLoginStore>;

interface Login {
  client: OAuthClientId;
  /** The login at the provider; undefined for a provider that names none. */
  uid?: string | undefined;
}

/** The accounts of each client, by login. An entry may outlive its account, so a reader looks at the account too. */
export function oauthLoginStore(table: TableOptions) {
  const idsIn = (items: readonly Record<string, unknown>[]): AccountId[] =>
    items.map((item) => AccountId.parse(item['accountId']));

  return {
    async add({ client, uid = '' }: Login, accountId: AccountId): Promise<void> {
      const Item = { ...oauthLoginKey(client, uid, accountId), accountId };
      await putItem(table, { Item });
    },

    async remove({ client, uid = '' }: Login, accountId: AccountId): Promise<void> {
      await deleteItem(table, { Key: oauthLoginKey(client, uid, accountId) });
    },

    accountsOf: async ({ client, uid = '' }: Login): Promise<AccountId[]> =>
      idsIn(await queryAll(table, beginningWith(oauthLoginsPartition(client), oauthLoginPrefix(uid)))),

    /**
     * The next accounts after this position of a client, by login, at most `limit` (1 or more), each with its own
     * position.
     */
    async next(
      client: OAuthClientId,
      { after = '', limit }: { after?: string | undefined; limit: number },
    ): Promise<{ accountId: AccountId; position: LoginPosition }[]> {
      // An empty text is no value of a key.
      const first = after === '' ? {} : { condition: ' AND sk > :after', values: { ':after': after } };
      const pages = queryPages(table, {
        KeyConditionExpression: `pk = :pk${first.condition ?? ''}`,
        ExpressionAttributeValues: { ':pk': oauthLoginsPartition(client), ...first.values },
        Limit: limit,
      });
      for await (const items of pages)
        return items.map((item) => ({
          accountId: AccountId.parse(item['accountId']),
          position: LoginPosition.parse({ client, key: item['sk'] }),
        }));
      return [];
    },

    accountsOfClient: async (client: OAuthClientId): Promise<AccountId[]> =>
      idsIn(await queryAll(table, wholePartition(oauthLoginsPartition(client)))),
  };
}
