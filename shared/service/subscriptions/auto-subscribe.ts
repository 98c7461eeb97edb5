import type { Random, UserId } from '../../domain/id.ts';
import { AutoSubscriptionId, newId } from '../../domain/id.ts';
import type { Requested } from '../../domain/requested.ts';
import type { AutoSubscription, SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import type { AutoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import type { OwnershipStore } from '../../store/table/ownership.ts';
import { notFound } from './not-found.ts';

interface AutoSubscribeContext {
  autoSubscriptions: Pick<AutoSubscriptionStore, 'createOrSet'>;
  ownership: OwnershipStore;
  random: Random;
  now(): number;
}

interface AutoSubscriptionRequest extends Pick<AutoSubscription, 'listenerId' | 'eventName'> {
  ownerId: UserId;
  settings: Requested<SubscriptionSettings>;
}

/** Subscribes a listener to every emitter of the user created from now on. */
export async function autoSubscribe(
  { autoSubscriptions, ownership, random, now }: AutoSubscribeContext,
  { settings, ...request }: AutoSubscriptionRequest,
): Promise<AutoSubscription> {
  const missing = await ownership.missing(request.ownerId, [request.listenerId]);
  if (missing !== undefined) throw notFound(missing);
  const createdAt = now();
  const id = AutoSubscriptionId.parse(newId('autoSubscription', createdAt, random));
  return autoSubscriptions.createOrSet({ ...request, ...settings, id, createdAt });
}
