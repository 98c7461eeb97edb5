import { type UserId, WebhookId } from '../../domain/id.ts';
import { Webhook } from '../../domain/webhook/webhook.ts';
import { batchedReads, type ReadError, valueOrError } from '../table/batched-reads.ts';
import { countDown, countUp, limitReached, readCounts } from '../table/counts.ts';
import { orderedWebhookKey, webhookKey, webhookListKey, ORDERED_WEBHOOK_PREFIX, userPartition } from '../table/keys.ts';
import { type Filter, type Page, type PageRequest, pointedIds, readPage } from '../table/page.ts';
import { readList, readOne } from '../table/read-items.ts';
import {
  batchGet,
  IS_NEW,
  type TableOptions,
  transact,
  beginningWith,
  queryPage,
  putItem,
} from '../table/table-client.ts';
import { changeItem } from '../table/change-item.ts';

export type WebhookStore = ReturnType<typeof webhookStore>;

type Changeable = Omit<Webhook, 'id' | 'ownerId' | 'createdAt' | 'version'>;

/** Undefined fields are removed; absent fields stay. */
export type WebhookChange = { [Field in keyof Changeable]?: Changeable[Field] | undefined };

export function webhookStore(table: TableOptions) {
  const { tableName: TableName } = table;

  return {
    /** Reads of one tick of the event loop share a request. */
    find: batchedReads<WebhookId, Webhook>(async (ids) => {
      const byKey = new Map(ids.map((id) => [webhookKey(id).pk, id]));
      const found = new Map<WebhookId, Webhook | ReadError>();
      for (const item of await batchGet(table, ids.map(webhookKey))) {
        const id = byKey.get(String(item['pk']));
        if (id !== undefined)
          found.set(
            id,
            valueOrError(() => readOne(id, () => Webhook.parse(item))),
          );
      }
      return found;
    }),

    list: (ownerId: UserId, request: PageRequest, filter?: Filter<Webhook>): Promise<Page<Webhook>> =>
      readPage(table, {
        scope: { list: 'webhooks', ownerId },
        request,
        filter,
        read: async (ids) => {
          const keys = ids.map((id) => webhookKey(WebhookId.parse(id)));
          return readList(table, await batchGet(table, keys), (item) => Webhook.parse(item));
        },
      }),

    async ids(ownerId: UserId): Promise<WebhookId[]> {
      const ids = await pointedIds(table, { list: 'webhooks', ownerId });
      return ids.map((id) => WebhookId.parse(id));
    },

    /** Refuses early: `create` decides, but other things of a webhook are made before it. */
    async checkLimit(ownerId: UserId, limit: number): Promise<void> {
      const { webhooks } = await readCounts(table, ownerId);
      if (webhooks >= limit) throw limitReached('webhooks', limit);
    },

    async create(webhook: Webhook, limit: number): Promise<void> {
      const { id, ownerId } = webhook;
      const result = await transact(table, [
        { Put: { TableName, Item: { ...webhookKey(id), ...webhook }, ...IS_NEW } },
        countUp(TableName, ownerId, { counted: 'webhooks', limit }),
        { Put: { TableName, Item: webhookListKey(ownerId, id) } },
      ]);
      if (result.ok) return;
      if (result.failed === 1) throw limitReached('webhooks', limit);
      throw new Error(`A webhook with the id ${id} exists`);
    },

    /**
     * Changes a webhook that was read before; every writer of an existing webhook uses it. Undefined when the webhook
     * was changed or deleted meanwhile.
     */
    async change({ id, version }: Webhook, change: WebhookChange): Promise<Webhook | undefined> {
      const written = await changeItem(table, webhookKey(id), { change, version });
      return written && Webhook.parse(written);
    },

    /** Sends deliveries of a webhook that failed to the retries until then. */
    async suspect(id: WebhookId, until: number): Promise<void> {
      await changeItem(table, webhookKey(id), { change: { suspectUntil: until } });
    },

    /** False when it was removed before. */
    async remove({ id, ownerId }: Pick<Webhook, 'id' | 'ownerId'>): Promise<boolean> {
      const result = await transact(table, [
        { Delete: { TableName, Key: webhookKey(id), ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: webhookListKey(ownerId, id) } },
        { Delete: { TableName, Key: orderedWebhookKey(ownerId, id) } },
        countDown(TableName, ownerId, 'webhooks'),
      ]);
      return result.ok;
    },
  };
}

export type OrderedWebhookStore = ReturnType<typeof orderedWebhookStore>;

/** The ordered webhooks of users, for those who emit events: they know users, not webhooks. */
export function orderedWebhookStore(table: TableOptions) {
  const { tableName: TableName } = table;
  return {
    async add({ ownerId, id }: Pick<Webhook, 'ownerId' | 'id'>): Promise<void> {
      await putItem(table, { Item: orderedWebhookKey(ownerId, id) });
    },

    /** Does nothing while the webhook is ordered: a change of it may have come between. */
    async remove({ ownerId, id }: Pick<Webhook, 'ownerId' | 'id'>): Promise<void> {
      await transact(table, [
        {
          ConditionCheck: {
            TableName,
            Key: { ...webhookKey(id) },
            ConditionExpression: 'NOT ordered = :yes',
            ExpressionAttributeValues: { ':yes': true },
          },
        },
        { Delete: { TableName, Key: { ...orderedWebhookKey(ownerId, id) } } },
      ]);
    },

    /** Whether the user has any. Eventually consistent: half the price of a read. */
    async hasAny(ownerId: UserId): Promise<boolean> {
      const query = beginningWith(userPartition(ownerId), ORDERED_WEBHOOK_PREFIX);
      return (await queryPage(table, { ...query, Limit: 1, ConsistentRead: false })).length > 0;
    },
  };
}
