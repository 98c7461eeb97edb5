import { randomBytes } from 'node:crypto';
import { ServiceError } from '../../shared/domain/errors.ts';
import { AutoSubscriptionId, newId, SubscriptionId } from '../../shared/domain/id.ts';
import { Limits } from '../../shared/domain/limits.ts';
import { streamOf } from '../../shared/domain/stream.ts';
import { all, nothing, one } from '../../shared/http/answer.ts';
import { serve, table } from '../../shared/http/serve.ts';
import { environment } from '../../shared/lambda/environment.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { subscriptions as at } from '../../shared/http/routes/subscription-routes.ts';
import { showAutoSubscription, showSubscription } from '../../shared/http/show.ts';
import { autoSubscriptionStore } from '../../shared/store/auto-subscriptions.ts';
import { ownershipStore } from '../../shared/store/ownership.ts';
import { subscriptionStore } from '../../shared/store/subscriptions.ts';

const limits = Limits.parse(JSON.parse(environment('LIMITS').LIMITS));
const subscriptions = subscriptionStore(table);
const autoSubscriptions = autoSubscriptionStore(table);
const ownership = ownershipStore(table);

const notFound = (what: string) => new ServiceError('not_found', 'not_found', `There is no ${what}.`);

export const handler = serve('subscriptions', {
  createSubscription: operation(at.createSubscription, async ({ input, caller }) => {
    const { emitter_id: emitter, listener_id: listenerId, event_name: eventName = '' } = input;
    const ownerId = caller.userId;
    const missing = await ownership.missing(ownerId, [emitter, listenerId]);
    if (missing !== undefined) throw notFound(missing);
    const now = Date.now();
    const id = SubscriptionId.parse(newId('subscription', now, randomBytes));
    const wanted = { id, ownerId, emitter, listenerId, eventName, createdAt: now };
    const subscription = await subscriptions.create(wanted, limits.subscriptions);
    if (!subscription) throw notFound(`${emitter} or no ${listenerId} any more`);
    return one(showSubscription(subscription));
  }),

  deleteSubscription: operation(at.deleteSubscription, async ({ input, caller }) => {
    const { emitter_id: emitter, listener_id: listenerId, event_name: eventName } = input;
    const identity = { ownerId: caller.userId, emitter, listenerId, stream: streamOf(eventName) };
    const subscription = await subscriptions.find(identity);
    const isRemoved = subscription?.ownerId === caller.userId && (await subscriptions.remove(subscription));
    if (!isRemoved) throw notFound('such subscription');
    return nothing;
  }),

  listSubscriptions: operation(at.listSubscriptions, async ({ caller }) =>
    all((await subscriptions.list(caller.userId)).map(showSubscription)),
  ),

  createAutoSubscription: operation(at.createAutoSubscription, async ({ input, caller }) => {
    const { listener_id: listenerId, event_name: eventName } = input;
    const ownerId = caller.userId;
    const missing = await ownership.missing(ownerId, [listenerId]);
    if (missing !== undefined) throw notFound(missing);
    const now = Date.now();
    const id = AutoSubscriptionId.parse(newId('autoSubscription', now, randomBytes));
    const auto = await autoSubscriptions.create({ id, ownerId, listenerId, eventName, createdAt: now });
    return one(showAutoSubscription(auto));
  }),

  deleteAutoSubscription: operation(at.deleteAutoSubscription, async ({ input, caller }) => {
    const { listener_id: listenerId, event_name: eventName } = input;
    const auto = await autoSubscriptions.find(caller.userId, listenerId, streamOf(eventName));
    if (!auto || !(await autoSubscriptions.remove(auto))) throw notFound('such auto-subscription');
    return nothing;
  }),

  listAutoSubscriptions: operation(at.listAutoSubscriptions, async ({ caller }) =>
    all((await autoSubscriptions.list(caller.userId)).map(showAutoSubscription)),
  ),
} satisfies Record<keyof typeof at, Operation>);
