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
const list = { ...common, method: 'GET', from: 'query', input: z.object({}), envelope: 'list' } as const;

export const subscriptions = {
  createSubscription: route({
    ...common,
    method: 'POST',
    path: '/v1/subscriptions',
    summary: "Makes a listener receive an emitter's events.",
    input: Identity.extend(subscriptionFields),
    inBody: Object.keys(subscriptionFields),
    example: { filter },
    envelope: 'single',
    data: 'Subscription',
    errors: [404, 409],
  }),
  deleteSubscription: route({
    ...common,
    method: 'DELETE',
    path: '/v1/subscriptions',
    summary: 'Removes a subscription.',
    input: Identity,
    envelope: 'none',
    errors: [404],
  }),
  listSubscriptions: route({
    ...list,
    path: '/v1/users/me/subscriptions',
    summary: 'All your subscriptions, newest first.',
    data: 'Subscription',
  }),
  createAutoSubscription: route({
    ...common,
    method: 'POST',
    path: '/v1/auto_subscriptions',
    summary: 'Makes a listener receive the events of every emitter created from now on.',
    input: AutoIdentity.extend(subscriptionFields),
    inBody: Object.keys(subscriptionFields),
    example: { filter },
    envelope: 'single',
    data: 'AutoSubscription',
    errors: [404],
  }),
  deleteAutoSubscription: route({
    ...common,
    method: 'DELETE',
    path: '/v1/auto_subscriptions',
    summary: 'Ends an auto-subscription; the subscriptions that it made stay.',
    input: AutoIdentity,
    envelope: 'none',
    errors: [404],
    isExtension: true,
  }),
  listAutoSubscriptions: route({
    ...list,
    path: '/v1/users/me/auto_subscriptions',
    summary: 'All your auto-subscriptions, newest first.',
    data: 'AutoSubscription',
    isExtension: true,
  }),
};
