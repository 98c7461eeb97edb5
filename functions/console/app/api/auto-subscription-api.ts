import { request } from './request.ts';
import type { AutoSubscription, Listed, Single, SubscriptionSettings } from './wire.ts';

interface NewAutoSubscription extends SubscriptionSettings {
  event_name: string;
  listener_id: string;
}

/** All auto-subscriptions; the list has no pages. */
export const listAutoSubscriptions = (): Promise<Listed<AutoSubscription>> =>
  request('GET', '/users/me/auto_subscriptions');

export const createAutoSubscription = (body: NewAutoSubscription): Promise<Single<AutoSubscription>> =>
  request('POST', '/auto_subscriptions', { body });

/** The subscriptions that it has made stay. */
export const deleteAutoSubscription = ({ event_name, listener_id }: AutoSubscription): Promise<undefined> =>
  request('DELETE', '/auto_subscriptions', { query: { event_name, listener_id } });
