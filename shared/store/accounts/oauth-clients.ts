import * as z from 'zod';
import { OAuthClientId, AccountId } from '../../domain/id.ts';
import { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import {
  OAUTH_CLIENTS_PARTITION,
  oauthAppKey,
  oauthClientKey,
  oauthLoginKey,
  oauthLoginPrefix,
  oauthLoginsPartition,
} from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import {
  getItem,
  queryAll,
  type TableOptions,
  transact,
  wholePartition,
  beginningWith,
  queryPages,
  deleteItem,
  putItem,
} from '../table/table-client.ts';
import { LoginPosition } from '../../domain/oauth/login-position.ts';

export type OAuthClientStore = ReturnType<typeof oauthClientStore>;

const Pointer = z.object({ client: OAuthClientId });

/** The clients that the operator registered at providers. Their secrets are encrypted by the caller. */
export function oauthClientStore(table: TableOptions) {
  const { tableName: TableName } = table;

  async function find(id: OAuthClientId): Promise<OAuthClient | undefined> {
    const Item = await getItem(table, oauthClientKey(id));
    return Item && OAuthClient.parse(Item);
  }

  return {
    find,

    async ofApp(app: string): Promise<OAuthClient | undefined> {
      const Item = await getItem(table, oauthAppKey(app));
      return Item && find(Pointer.parse(Item).client);
    },

    /** Oldest first. */
    async list(): Promise<OAuthClient[]> {
      const items = await queryAll(table, wholePartition(OAUTH_CLIENTS_PARTITION));
      const found = readItems(table, items, (item) => OAuthClient.parse(item));
      return found.sort((a, b) => (a.id < b.id ? -1 : 1));
    },

    /**
     * Stores a new client, or the next version of one. False when an app has another client, or the client was changed
     * meanwhile.
     */
    async put(client: OAuthClient): Promise<boolean> {
      const { id, version } = client;
      const { ok } = await transact(table, [
        {
          Put: {
            TableName,
            Item: { ...oauthClientKey(id), ...client },
            ConditionExpression: 'attribute_not_exists(pk) OR version = :before',
            ExpressionAttributeValues: { ':before': version - 1 },
          },
        },
        ...client.apps.map((app) => ({
          Put: {
            TableName,
            Item: { ...oauthAppKey(app), client: id },
            ConditionExpression: 'attribute_not_exists(pk) OR client = :client',
            ExpressionAttributeValues: { ':client': id },
          },
        })),
      ]);
      return ok;
    },

    async remove({ id, apps }: OAuthClient): Promise<void> {
      await transact(table, [
        { Delete: { TableName, Key: oauthClientKey(id) } },
        ...apps.map((app) => ({
          Delete: {
            TableName,
            Key: oauthAppKey(app),
            ConditionExpression: 'attribute_not_exists(pk) OR client = :client',
            ExpressionAttributeValues: { ':client': id },
          },
        })),
      ]);
    },
  };
}

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
