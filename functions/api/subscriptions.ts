import { ServiceError } from '../../shared/domain/errors.ts';
import { AutoSubscriptionId, newId, SubscriptionId } from '../../shared/domain/id.ts';
import { streamOf } from '../../shared/domain/stream.ts';
import { all, nothing, one } from '../../shared/http/answer.ts';
import { serve } from '../../shared/http/serve.ts';
import { subscriptionServices } from '../../shared/lambda/services.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { subscriptions as routes } from '../../shared/http/routes/subscription-routes.ts';
import { showAutoSubscription, showSubscription } from '../../shared/http/show.ts';

const { subscriptions, autoSubscriptions, ownership, limits, random, now } = subscriptionServices();

const notFound = (name: string) => new ServiceError('not_found', 'not_found', `There is no ${name}.`);

export const handler = serve('subscriptions', {
  createSubscription: operation(routes.createSubscription, async ({ input, caller }) => {
    const { emitter_id: emitter, listener_id: listenerId, event_name: eventName = '', filter } = input;
    const ownerId = caller.userId;
    const missing = await ownership.missing(ownerId, [emitter, listenerId]);
    if (missing !== undefined) throw notFound(missing);
    const at = now();
    const id = SubscriptionId.parse(newId('subscription', at, random));
    const filtered = filter === undefined ? {} : { filter };
    const subscription = await subscriptions.createOrSetFilter(
      { id, ownerId, emitter, listenerId, eventName, ...filtered, createdAt: at },
      limits.subscriptions,
    );
    if (!subscription) throw notFound(`${emitter} or no ${listenerId} any more`);
    return one(showSubscription(subscription));
  }),

  deleteSubscription: operation(routes.deleteSubscription, async ({ input, caller }) => {
    const { emitter_id: emitter, listener_id: listenerId, event_name: eventName } = input;
    const identity = { ownerId: caller.userId, emitter, listenerId, stream: streamOf(eventName) };
    const subscription = await subscriptions.find(identity);
    const isRemoved = subscription?.ownerId === caller.userId && (await subscriptions.remove(subscription));
    if (!isRemoved) throw notFound('such subscription');
    return nothing;
  }),

  listSubscriptions: operation(routes.listSubscriptions, async ({ caller }) =>
    all((await subscriptions.list(caller.userId)).map(showSubscription)),
  ),

  createAutoSubscription: operation(routes.createAutoSubscription, async ({ input, caller }) => {
    const { listener_id: listenerId, event_name: eventName, filter } = input;
    const ownerId = caller.userId;
    const missing = await ownership.missing(ownerId, [listenerId]);
    if (missing !== undefined) throw notFound(missing);
    const at = now();
    const id = AutoSubscriptionId.parse(newId('autoSubscription', at, random));
    const auto = await autoSubscriptions.createOrSetFilter({
      id,
      ownerId,
      listenerId,
      eventName,
      ...(filter === undefined ? {} : { filter }),
      createdAt: at,
    });
    return one(showAutoSubscription(auto));
  }),

  deleteAutoSubscription: operation(routes.deleteAutoSubscription, async ({ input, caller }) => {
    const { listener_id: listenerId, event_name: eventName } = input;
    const auto = await autoSubscriptions.find(caller.userId, listenerId, streamOf(eventName));
    if (!auto || !(await autoSubscriptions.remove(auto))) throw notFound('such auto-subscription');
    return nothing;
  }),

  listAutoSubscriptions: operation(routes.listAutoSubscriptions, async ({ caller }) =>
    all((await autoSubscriptions.list(caller.userId)).map(showAutoSubscription)),
  ),
} satisfies Record<keyof typeof routes, Operation>);
