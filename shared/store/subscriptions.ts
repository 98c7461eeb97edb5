import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { isWebhookId, type ListenerId, type UserId } from '../domain/id.ts';
import { streamOf, type StreamName } from '../domain/stream.ts';
import { isGlob, Subscription } from '../domain/subscription.ts';
import { countDown, countUp, limitReached } from './counts.ts';
import { itemKeyOf } from './item-of.ts';
import {
  type EmitterPattern,
  listenerKey,
  listenerPartition,
  matchKey,
  matchPartition,
  SUBSCRIPTION_LIST_PREFIX,
  subscriptionListKey,
  userPartition,
} from './keys.ts';
import { beginningWith, queryAll, type TableOptions, transact, type Writes } from './table-client.ts';

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

/** What tells one subscription from another. */
export interface SubscriptionIdentity {
  ownerId: UserId;
  emitter: Subscription['emitter'];
  listenerId: ListenerId;
  stream: StreamName;
}

/** Enough to find a subscription's other items from the listener's side. */
const ListenerItem = z.object({ match: z.object({ pk: z.string(), sk: z.string() }) });

/** The three items of a subscription (match, listener, list) come and go together. */
export function subscriptionStore(table: TableOptions) {
  const { dynamo, tableName: TableName } = table;

  async function find(identity: SubscriptionIdentity): Promise<Subscription | undefined> {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName, Key: keysOf(identity).match, ConsistentRead: true }),
    );
    return Item && Subscription.parse(Item);
  }

  async function remove(subscription: Subscription): Promise<boolean> {
    const keys = keysOf(identityOf(subscription));
    const result = await transact(table, [
      {
        Delete: {
          TableName,
          Key: keys.match,
          ConditionExpression: 'id = :id',
          ExpressionAttributeValues: { ':id': subscription.id },
        },
      },
      { Delete: { TableName, Key: keys.listener } },
      { Delete: { TableName, Key: subscriptionListKey(subscription.ownerId, subscription.id) } },
      countDown(TableName, subscription.ownerId, 'subscriptions'),
    ]);
    return result.ok;
  }

  return {
    find,
    remove,

    /**
     * One subscription per identity: the existing one when there is one. The emitter and the listener must be there, and their
     * owner's, when it is stored; undefined when one is not.
     */
    async create(wanted: Subscription, limit: number): Promise<Subscription | undefined> {
      for (;;) {
        const identity = identityOf(wanted);
        const existing = await find(identity);
        if (existing) return existing;
        const keys = keysOf(identity);
        const checks = checksOf(TableName, wanted);
        const result = await transact(table, [
          {
            Put: {
              TableName,
              Item: { ...keys.match, ...wanted },
              ConditionExpression: 'attribute_not_exists(pk)',
            },
          },
          countUp(TableName, wanted.ownerId, 'subscriptions', limit),
          { Put: { TableName, Item: { ...keys.listener, match: keys.match } } },
          { Put: { TableName, Item: { ...subscriptionListKey(wanted.ownerId, wanted.id), ...wanted } } },
          ...checks,
        ]);
        if (result.ok) return wanted;
        if (result.failed === 1) throw limitReached('subscriptions', limit);
        if (result.failed !== 0) return undefined;
      }
    },

    /** All of a user's, newest first. */
    async list(ownerId: UserId): Promise<Subscription[]> {
      const items = await queryAll(table, {
        ...beginningWith(userPartition(ownerId), SUBSCRIPTION_LIST_PREFIX),
        ScanIndexForward: false,
      });
      return items.map((item) => Subscription.parse(item));
    },

    /** Every subscription that names it as emitter or listener; globs of its kind stay. */
    async removeAllOf(id: ListenerId): Promise<void> {
      const asEmitter = isWebhookId(id)
        ? []
        : await queryAll(table, partition(matchPartition({ emitterId: id })));
      const asListener = await queryAll(table, partition(listenerPartition(id)));
      const matches = await Promise.all(
        asListener.map(async (item) => {
          const { Item } = await dynamo.send(
            new GetCommand({ TableName, Key: ListenerItem.parse(item).match, ConsistentRead: true }),
          );
          return Item;
        }),
      );
      const found = [...asEmitter, ...matches.filter((item) => item !== undefined)];
      for (let at = 0; at < found.length; at += SIDE_BY_SIDE) {
        await Promise.all(found.slice(at, at + SIDE_BY_SIDE).map((item) => remove(Subscription.parse(item))));
      }
    },
  };
}

/** Removals touch the same counter: more at once would only be in each other's way. */
const SIDE_BY_SIDE = 4;

const partition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});

const identityOf = ({ ownerId, emitter, listenerId, eventName }: Subscription): SubscriptionIdentity => ({
  ownerId,
  emitter,
  listenerId,
  stream: streamOf(eventName),
});

function keysOf({ ownerId, emitter, listenerId, stream }: SubscriptionIdentity) {
  const pattern: EmitterPattern = isGlob(emitter) ? { ownerId, glob: emitter } : { emitterId: emitter };
  return { match: matchKey(pattern, stream, listenerId), listener: listenerKey(listenerId, pattern, stream) };
}

/** What must be true of emitter and listener at the moment of writing; one item is checked once, as a transaction demands. */
function checksOf(TableName: string, { ownerId, emitter, listenerId }: Subscription): Writes {
  const ids = isGlob(emitter) ? [listenerId] : [...new Set([emitter, listenerId])];
  return ids.map((id) => ({
    ConditionCheck: {
      TableName,
      Key: itemKeyOf(id),
      ConditionExpression:
        'ownerId = :ownerId AND attribute_exists(pk) AND (attribute_not_exists(#state) OR #state <> :deleting) AND attribute_not_exists(#deleting)',
      ExpressionAttributeNames: { '#state': 'state', '#deleting': 'deleting' },
      ExpressionAttributeValues: { ':ownerId': ownerId, ':deleting': 'deleting' },
    },
  }));
}
