import type { ListenerId, UserId } from '../../domain/id.ts';
import type { StreamName } from '../../domain/event/stream.ts';
import type { AutoSubscriptionStore } from '../../store/subscriptions/auto-subscriptions.ts';
import type { SubscriptionIdentity, SubscriptionStore } from '../../store/subscriptions/subscriptions.ts';
import { notFound } from './not-found.ts';

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
