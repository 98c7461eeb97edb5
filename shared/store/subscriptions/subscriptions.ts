import * as z from 'zod';
import { isNoticesIdOf } from '../../domain/notice/notices-emitter.ts';
import { isWebhookId, type ListenerId, type UserId } from '../../domain/id.ts';
import { streamOf, type StreamName } from '../../domain/event/stream.ts';
import { isGlob, Subscription, SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import { changeCurrent } from '../table/change-current.ts';
import { countDown, countUp, limitReached } from '../table/counts.ts';
import { itemKeyOf } from '../table/item-of.ts';
import {
  type EmitterPattern,
  listenerKey,
  listenerPartition,
  matchKey,
  matchPartition,
  SUBSCRIPTION_LIST_PREFIX,
  subscriptionListKey,
  userPartition,
} from '../table/keys.ts';
import { hasSettings, settingsUpdate } from '../table/settings-update.ts';
import { readItems, readList, readOne } from '../table/read-items.ts';
import {
  beginningWith,
  getItem,
  IS_NEW,
  queryAll,
  type TableOptions,
  transact,
  wholePartition,
  type Writes,
} from '../table/table-client.ts';

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

/** The unique key of a subscription. */
export interface SubscriptionIdentity {
  ownerId: UserId;
  emitter: Subscription['emitter'];
  listenerId: ListenerId;
  stream: StreamName;
}

/** The listener's item of a subscription, with the key of its match item. */
const ListenerItem = z.object({ match: z.object({ pk: z.string(), sk: z.string() }) });

/** A subscription has three items (match, listener, list), written and removed in one transaction. */
export function subscriptionStore(table: TableOptions) {
  const { tableName: TableName } = table;

  async function find(identity: SubscriptionIdentity): Promise<Subscription | undefined> {
    const Item = await getItem(table, keysOf(identity).match);
    return Item && readOne(`the subscription of ${identity.listenerId}`, () => Subscription.parse(Item));
  }

  async function remove(subscription: Subscription): Promise<boolean> {
    const { id, ownerId } = subscription;
    const { match, listener } = keysOf(identityOf(subscription));
    const isSame = { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } };
    const { ok } = await transact(table, [
      { Delete: { TableName, Key: match, ...isSame } },
      { Delete: { TableName, Key: listener } },
      { Delete: { TableName, Key: subscriptionListKey(ownerId, id) } },
      countDown(TableName, ownerId, 'subscriptions'),
    ]);
    return ok;
  }

  async function create(subscription: Subscription, limit: number): Promise<Subscription | undefined> {
    const identity = identityOf(subscription);
    const { stored } = await changeCurrent({
      find: async () => ({ stored: await find(identity) }),
      write: async (found) => {
        if (found.stored) return found;
        const result = await transact(table, newWrites(TableName, subscription, limit));
        if (result.ok) return { stored: subscription };
        if (result.failed === 1) throw limitReached('subscriptions', limit);
        // Emitter or listener is gone.
        return result.failed !== 0 && found;
      },
    });
    return stored;
  }

  /** False when the subscription was removed meanwhile. */
  async function setSettings(subscription: Subscription, settings: SubscriptionSettings): Promise<boolean> {
    const { match } = keysOf(identityOf(subscription));
    const list = subscriptionListKey(subscription.ownerId, subscription.id);
    const update = { TableName, id: subscription.id, settings };
    const result = await transact(table, [
      settingsUpdate({ ...update, key: match }),
      settingsUpdate({ ...update, key: list }),
    ]);
    return result.ok;
  }

  return {
    find,
    remove,

    /**
     * Returns the existing subscription of the same identity, if any, as it is. Undefined when emitter or listener does
     * not exist or belongs to another user.
     */
    create,

    /** Like `create`, but an existing subscription gets these settings, and keeps its id. */
    createOrSet(subscription: Subscription, limit: number): Promise<Subscription | undefined> {
      const settings = SubscriptionSettings.parse(subscription);
      return changeCurrent({
        find: () => create(subscription, limit),
        write: async (stored) =>
          hasSettings(stored, settings) ? stored : (await setSettings(stored, settings)) && { ...stored, ...settings },
      });
    },

    /** All subscriptions of a user, newest first. */
    async list(ownerId: UserId): Promise<Subscription[]> {
      const items = await queryAll(table, {
        ...beginningWith(userPartition(ownerId), SUBSCRIPTION_LIST_PREFIX),
        ScanIndexForward: false,
      });
      return readList(table, items, (item) => Subscription.parse(item));
    },

    /** The number of those that `removeAllOf` removes. */
    async countOf(id: ListenerId): Promise<number> {
      const partitions = [listenerPartition(id), ...(isWebhookId(id) ? [] : [matchPartition({ emitterId: id })])];
      const read = (pk: string) => queryAll(table, { ...wholePartition(pk), ProjectionExpression: 'pk' });
      return (await Promise.all(partitions.map(read))).flat().length;
    },

    /** Removes all subscriptions with this emitter or listener, except those with a glob as emitter. */
    async removeAllOf(id: ListenerId): Promise<void> {
      const asEmitter = isWebhookId(id) ? [] : await queryAll(table, wholePartition(matchPartition({ emitterId: id })));
      const asListener = await queryAll(table, wholePartition(listenerPartition(id)));
      const matches = await Promise.all(asListener.map((item) => getItem(table, ListenerItem.parse(item).match)));
      const found = [...asEmitter, ...matches.filter((item) => item !== undefined)];
      const read = readItems(table, found, (item) => Subscription.parse(item));
      for (let at = 0; at < read.length; at += CONCURRENT_REMOVALS)
        await Promise.all(read.slice(at, at + CONCURRENT_REMOVALS).map(remove));
    },
  };
}

/** Removals update the same counter, so more of them would conflict. */
const CONCURRENT_REMOVALS = 4;

/**
 * The first write fails when the subscription exists, the second one at the limit, others when emitter or listener is
 * gone.
 */
function newWrites(TableName: string, subscription: Subscription, limit: number): Writes {
  const { ownerId, id } = subscription;
  const { match, listener } = keysOf(identityOf(subscription));
  return [
    { Put: { TableName, Item: { ...match, ...subscription }, ...IS_NEW } },
    countUp(TableName, ownerId, { counted: 'subscriptions', limit }),
    { Put: { TableName, Item: { ...listener, match } } },
    { Put: { TableName, Item: { ...subscriptionListKey(ownerId, id), ...subscription } } },
    ...checksOf(TableName, subscription),
  ];
}

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

/**
 * Checks that emitter and listener exist and belong to the owner. A transaction may check an item only once. The
 * emitter of notices has no item: its id follows from that of the owner.
 */
function checksOf(TableName: string, { ownerId, emitter, listenerId }: Subscription): Writes {
  const isWithoutItem = isGlob(emitter) || isNoticesIdOf(emitter, ownerId);
  const ids = isWithoutItem ? [listenerId] : [...new Set([emitter, listenerId])];
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
