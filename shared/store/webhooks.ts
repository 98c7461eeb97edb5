import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type UserId, WebhookId } from '../domain/id.ts';
import { Webhook } from '../domain/webhook.ts';
import { countDown, countUp, limitReached } from './counts.ts';
import { webhookKey, webhookListKey } from './keys.ts';
import { type Filter, type Page, type PageRequest, readPage } from './page.ts';
import { batchGet, conditionally, type TableOptions, transact } from './table-client.ts';

/** Undefined fields are left unchanged. */
export type WebhookChange = {
  [Field in 'url' | 'name' | 'description' | 'active' | 'secret']?: Webhook[Field] | undefined;
};

export function webhookStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  return {
    async find(id: WebhookId): Promise<Webhook | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName, Key: webhookKey(id), ConsistentRead: true }),
      );
      return Item && Webhook.parse(Item);
    },

    list: (ownerId: UserId, request: PageRequest, filter?: Filter<Webhook>): Promise<Page<Webhook>> =>
      readPage(table, {
        scope: { list: 'webhooks', ownerId },
        request,
        filter,
        read: async (ids) => {
          const keys = ids.map((id) => webhookKey(WebhookId.parse(id)));
          return (await batchGet(table, keys)).map((item) => Webhook.parse(item));
        },
      }),

    async create(webhook: Webhook, limit: number): Promise<void> {
      const { id, ownerId } = webhook;
      const result = await transact(table, [
        {
          Put: {
            TableName,
            Item: { ...webhookKey(id), ...webhook },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        countUp(TableName, ownerId, 'webhooks', limit),
        { Put: { TableName, Item: webhookListKey(ownerId, id) } },
      ]);
      if (result.ok) return;
      if (result.failed === 1) throw limitReached('webhooks', limit);
      throw new Error(`A webhook with the id ${id} exists`);
    },

    /** Every change clears `suspectUntil`. Undefined when the webhook does not exist. */
    async change(id: WebhookId, change: WebhookChange, updatedAt: number): Promise<Webhook | undefined> {
      const changes = Object.entries({ ...change, updatedAt }).filter(([, value]) => value !== undefined);
      const written = await conditionally(() =>
        dynamo.send(
          new UpdateCommand({
            TableName,
            Key: webhookKey(id),
            UpdateExpression: `SET ${changes.map(([name]) => `#${name} = :${name}`).join(', ')} REMOVE suspectUntil`,
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeNames: Object.fromEntries(changes.map(([name]) => [`#${name}`, name])),
            ExpressionAttributeValues: Object.fromEntries(
              changes.map(([name, value]) => [`:${name}`, value]),
            ),
            ReturnValues: 'ALL_NEW',
          }),
        ),
      );
      return written && Webhook.parse(written.Attributes);
    },

    /** False when it was removed before. */
    async remove({ id, ownerId }: Pick<Webhook, 'id' | 'ownerId'>): Promise<boolean> {
      const result = await transact(table, [
        { Delete: { TableName, Key: webhookKey(id), ConditionExpression: 'attribute_exists(pk)' } },
        { Delete: { TableName, Key: webhookListKey(ownerId, id) } },
        countDown(TableName, ownerId, 'webhooks'),
      ]);
      return result.ok;
    },
  };
}
