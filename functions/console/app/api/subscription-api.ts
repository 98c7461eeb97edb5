import { request } from './request.ts';
import type { Listed, Single, Subscription, SubscriptionSettings } from './wire.ts';

interface NewSubscription extends SubscriptionSettings {
  emitter_id: string;
  listener_id: string;
  event_name?: string;
}

/** All subscriptions; the list has no pages. */
export const listSubscriptions = (): Promise<Listed<Subscription>> => request('GET', '/users/me/subscriptions');

export const createSubscription = (body: NewSubscription): Promise<Single<Subscription>> =>
  request('POST', '/subscriptions', { body });

export const deleteSubscription = ({ emitter_id, listener_id, event_name }: Subscription): Promise<undefined> =>
  request('DELETE', '/subscriptions', { query: { emitter_id, listener_id, event_name } });
