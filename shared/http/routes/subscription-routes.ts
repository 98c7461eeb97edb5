import * as z from 'zod';
import { EmitterParameter, ListenerIdParameter, StreamParameter } from '../parameters.ts';
import { filter } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { subscriptionFields } from '../settings/subscription-settings.ts';

const Identity = z.object({
  emitter_id: EmitterParameter,
  listener_id: ListenerIdParameter,
  event_name: StreamParameter.optional(),
});

const AutoIdentity = z.object({
  event_name: StreamParameter.min(1, 'is required'),
  listener_id: ListenerIdParameter,
});

const common = { group: 'subscriptions', parameters: z.object({}), from: 'both' } as const;
const list = { ...common, from: 'query', input: z.object({}), envelope: 'list' } as const;

export const subscriptions = {
  createSubscription: route('POST', '/v1/subscriptions', {
    ...common,
    summary: "Makes a listener receive an emitter's events.",
    input: Identity.extend(subscriptionFields),
    inBody: Object.keys(subscriptionFields),
    example: { filter },
    data: 'Subscription',
    errors: [404, 409],
  }),
  deleteSubscription: route('DELETE', '/v1/subscriptions', {
    ...common,
    summary: 'Removes a subscription.',
    input: Identity,
    envelope: 'none',
    errors: [404],
  }),
  listSubscriptions: route('GET', '/v1/users/me/subscriptions', {
    ...list,
    summary: 'All your subscriptions, newest first.',
    data: 'Subscription',
  }),
  createAutoSubscription: route('POST', '/v1/auto_subscriptions', {
    ...common,
    summary: 'Makes a listener receive the events of every emitter created from now on.',
    input: AutoIdentity.extend(subscriptionFields),
    inBody: Object.keys(subscriptionFields),
    example: { filter },
    data: 'AutoSubscription',
    errors: [404],
  }),
  deleteAutoSubscription: route('DELETE', '/v1/auto_subscriptions', {
    ...common,
    summary: 'Ends an auto-subscription; the subscriptions that it made stay.',
    input: AutoIdentity,
    envelope: 'none',
    errors: [404],
    isExtension: true,
  }),
  listAutoSubscriptions: route('GET', '/v1/users/me/auto_subscriptions', {
    ...list,
    summary: 'All your auto-subscriptions, newest first.',
    data: 'AutoSubscription',
    isExtension: true,
  }),
};
