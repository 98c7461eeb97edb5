import {
  type Random,
  type UserId,
  newId,
  SubscriptionId,
  type ListenerId,
  AutoSubscriptionId,
} from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { checkNoticeStream } from '../../domain/notice/notice.ts';
import { isNoticesIdOf } from '../../domain/notice/notices-emitter.ts';
import type { Requested } from '../../domain/requested.ts';
import type { Subscription, SubscriptionSettings, AutoSubscription } from '../../domain/subscription/subscription.ts';
import type { OwnershipStore } from '../../store/table/ownership.ts';
import type { SubscriptionStore, SubscriptionIdentity } from '../../store/subscriptions/subscriptions.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { AutoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import { notFound } from '../../domain/errors.ts';

interface SubscribeContext {
  subscriptions: Pick<SubscriptionStore, 'createOrSet'>;
  ownership: OwnershipStore;
  limits: Pick<Limits, 'subscriptions'>;
  random: Random;
  now(): number;
}

interface SubscriptionRequest extends Pick<Subscription, 'emitter' | 'listenerId' | 'eventName'> {
  ownerId: UserId;
  settings: Requested<SubscriptionSettings>;
}

/**
 * Subscribes a listener to an emitter. An existing subscription of the same emitter, listener and stream gets the
 * settings.
 */
export async function subscribe(
  { subscriptions, ownership, limits, random, now }: SubscribeContext,
  { settings, ...request }: SubscriptionRequest,
): Promise<Subscription> {
  const { ownerId, emitter, listenerId } = request;
  const isToNotices = isNoticesIdOf(emitter, ownerId);
  if (isToNotices) checkNoticeStream(request.eventName);
  const missing = await ownership.missing(ownerId, isToNotices ? [listenerId] : [emitter, listenerId]);
  if (missing !== undefined) throw notFound(missing);
  const createdAt = now();
  const id = SubscriptionId.parse(newId('subscription', createdAt, random));
  const created = await subscriptions.createOrSet({ ...request, ...settings, id, createdAt }, limits.subscriptions);
  if (!created) throw notFound(`${emitter} or no ${listenerId} any more`);
  return created;
}

export async function unsubscribe(
  { subscriptions }: { subscriptions: Pick<SubscriptionStore, 'find' | 'remove'> },
  identity: SubscriptionIdentity,
): Promise<void> {
  const subscription = await subscriptions.find(identity);
  const isRemoved = subscription?.ownerId === identity.ownerId && (await subscriptions.remove(subscription));
  if (!isRemoved) throw notFound('such subscription');
}

export async function endAutoSubscription(
  { autoSubscriptions }: { autoSubscriptions: Pick<AutoSubscriptionStore, 'find' | 'remove'> },
  { ownerId, listenerId, stream }: { ownerId: UserId; listenerId: ListenerId; stream: StreamName },
): Promise<void> {
  const auto = await autoSubscriptions.find(ownerId, listenerId, stream);
  if (!auto || !(await autoSubscriptions.remove(auto))) throw notFound('such auto-subscription');
}

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
