import { type EmitterId, type ListenerId, newId, type Random, SubscriptionId, type UserId } from '../../domain/id.ts';
import { streamOf, type StreamName } from '../../domain/event/stream.ts';
import { AutoSubscription, SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import { changeCurrent } from '../table/change-current.ts';
import {
  AUTO_SUBSCRIPTION_LIST_PREFIX,
  autoSubscriptionIdentityKey,
  autoSubscriptionListKey,
  userPartition,
} from '../table/keys.ts';
import { hasSettings, settingsUpdate } from '../table/settings-update.ts';
import type { SubscriptionStore } from './subscriptions.ts';
import { readItems, readOne } from '../table/read-items.ts';
import { beginningWith, getItem, IS_NEW, queryAll, type TableOptions, transact } from '../table/table-client.ts';

export type AutoSubscriptionStore = ReturnType<typeof autoSubscriptionStore>;

export interface NewEmitter {
  emitterId: EmitterId;
  ownerId: UserId;
  now: number;
  random: Random;
  /** Maximum of subscriptions per owner. */
  limit: number;
}

/** Auto-subscriptions: listener × stream of a user, applied to every emitter created later. */
export function autoSubscriptionStore(table: TableOptions) {
  const { tableName: TableName } = table;

  async function find(ownerId: UserId, listenerId: ListenerId, stream: StreamName) {
    const Key = autoSubscriptionIdentityKey(ownerId, listenerId, stream);
    const Item = await getItem(table, Key);
    return Item && readOne(`the auto-subscription of ${listenerId}`, () => AutoSubscription.parse(Item));
  }

  async function list(ownerId: UserId): Promise<AutoSubscription[]> {
    const items = await queryAll(table, {
      ...beginningWith(userPartition(ownerId), AUTO_SUBSCRIPTION_LIST_PREFIX),
      ScanIndexForward: false,
    });
    return readItems(table, items, (item) => AutoSubscription.parse(item));
  }

  async function remove({ ownerId, listenerId, eventName, id }: AutoSubscription): Promise<boolean> {
    const Key = autoSubscriptionIdentityKey(ownerId, listenerId, streamOf(eventName));
    const isSame = { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } };
    const { ok } = await transact(table, [
      { Delete: { TableName, Key, ...isSame } },
      { Delete: { TableName, Key: autoSubscriptionListKey(ownerId, id) } },
    ]);
    return ok;
  }

  /** False when the auto-subscription was removed meanwhile. */
  async function setSettings(
    { ownerId, listenerId, eventName, id }: AutoSubscription,
    settings: SubscriptionSettings,
  ): Promise<boolean> {
    const identity = autoSubscriptionIdentityKey(ownerId, listenerId, streamOf(eventName));
    const result = await transact(table, [
      settingsUpdate({ TableName, key: identity, id, settings }),
      settingsUpdate({ TableName, key: autoSubscriptionListKey(ownerId, id), id, settings }),
    ]);
    return result.ok;
  }

  return {
    find,
    /** All auto-subscriptions of a user, newest first. */
    list,
    remove,

    /** An existing auto-subscription of the same identity gets the settings, and keeps its id. */
    createOrSet(autoSubscription: AutoSubscription): Promise<AutoSubscription> {
      const { ownerId, listenerId, eventName, id } = autoSubscription;
      const settings = SubscriptionSettings.parse(autoSubscription);
      const identity = autoSubscriptionIdentityKey(ownerId, listenerId, streamOf(eventName));
      return changeCurrent({
        find: async () => ({ existing: await find(ownerId, listenerId, streamOf(eventName)) }),
        write: async ({ existing }) => {
          if (existing) {
            const isSet = hasSettings(existing, settings) || (await setSettings(existing, settings));
            return isSet && { ...existing, ...settings };
          }
          const { ok } = await transact(table, [
            { Put: { TableName, Item: { ...identity, ...autoSubscription }, ...IS_NEW } },
            { Put: { TableName, Item: { ...autoSubscriptionListKey(ownerId, id), ...autoSubscription } } },
          ]);
          return ok && autoSubscription;
        },
      });
    },

    /** Subscribes the listeners of all auto-subscriptions to a new emitter; skips deleted listeners. */
    async applyTo(
      subscriptions: SubscriptionStore,
      { emitterId, ownerId, now, random, limit }: NewEmitter,
    ): Promise<void> {
      for (const auto of await list(ownerId)) {
        const { listenerId, eventName } = auto;
        const id = SubscriptionId.parse(newId('subscription', now, random));
        const settings = SubscriptionSettings.parse(auto);
        await subscriptions.create(
          { ...settings, id, ownerId, emitter: emitterId, listenerId, eventName, createdAt: now },
          limit,
        );
      }
    },

    async removeAllOf(ownerId: UserId, listenerId: ListenerId): Promise<void> {
      for (const auto of await list(ownerId)) {
        if (auto.listenerId === listenerId) await remove(auto);
      }
    },
  };
}
