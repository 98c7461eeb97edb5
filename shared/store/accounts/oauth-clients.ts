import * as z from 'zod';
import { OAuthClientId } from '../../domain/id.ts';
import { OAuthClient } from '../../domain/oauth/oauth-client.ts';
import { OAUTH_CLIENTS_PARTITION, oauthAppKey, oauthClientKey } from '../table/keys.ts';
import { readItems } from '../table/read-items.ts';
import { getItem, queryAll, type TableOptions, transact, wholePartition } from '../table/table-client.ts';

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
