import type { Random, UserId } from '../../domain/id.ts';
import { newId, SubscriptionId } from '../../domain/id.ts';
import type { Limits } from '../../domain/limits.ts';
import { checkNoticeStream } from '../../domain/notice/notice.ts';
import { isNoticesIdOf } from '../../domain/notice/notices-emitter.ts';
import type { Requested } from '../../domain/requested.ts';
import type { Subscription, SubscriptionSettings } from '../../domain/subscription/subscription.ts';
import type { OwnershipStore } from '../../store/table/ownership.ts';
import type { SubscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { notFound } from './not-found.ts';

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
