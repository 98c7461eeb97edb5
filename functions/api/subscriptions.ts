import { streamOf } from '../../shared/domain/event/stream.ts';
import { all, nothing, one } from '../../shared/http/api-response.ts';
import { serve } from '../../shared/http/serve.ts';
import { subscriptionServices } from '../../shared/lambda/wiring/api-wiring.ts';
import { type Operation, operation } from '../../shared/http/http.ts';
import { subscriptions as routes } from '../../shared/http/routes/subscription-routes.ts';
import { subscriptionSettingsOf } from '../../shared/http/settings/subscription-settings.ts';
import { showAutoSubscription, showSubscription } from '../../shared/http/show/show.ts';
import {
  autoSubscribe,
  subscribe,
  endAutoSubscription,
  unsubscribe,
} from '../../shared/service/subscriptions/subscribe.ts';

const services = subscriptionServices();
const { subscriptions, autoSubscriptions } = services;

export const handler = serve('subscriptions', {
  createSubscription: operation(routes.createSubscription, async ({ input, caller: { userId: ownerId } }) => {
    const { emitter_id: emitter, listener_id: listenerId, event_name: eventName = '' } = input;
    const settings = subscriptionSettingsOf(input);
    const request = { ownerId, emitter, listenerId, eventName, settings };
    return one(showSubscription(await subscribe(services, request)));
  }),

  deleteSubscription: operation(routes.deleteSubscription, async ({ input, caller: { userId: ownerId } }) => {
    const { emitter_id: emitter, listener_id: listenerId, event_name: eventName } = input;
    await unsubscribe(services, { ownerId, emitter, listenerId, stream: streamOf(eventName) });
    return nothing;
  }),

  listSubscriptions: operation(routes.listSubscriptions, async ({ caller }) =>
    all((await subscriptions.list(caller.userId)).map(showSubscription)),
  ),

  createAutoSubscription: operation(routes.createAutoSubscription, async ({ input, caller: { userId: ownerId } }) => {
    const { listener_id: listenerId, event_name: eventName } = input;
    const settings = subscriptionSettingsOf(input);
    const request = { ownerId, listenerId, eventName, settings };
    return one(showAutoSubscription(await autoSubscribe(services, request)));
  }),

  deleteAutoSubscription: operation(routes.deleteAutoSubscription, async ({ input, caller: { userId: ownerId } }) => {
    const { listener_id: listenerId, event_name: eventName } = input;
    await endAutoSubscription(services, { ownerId, listenerId, stream: streamOf(eventName) });
    return nothing;
  }),

  listAutoSubscriptions: operation(routes.listAutoSubscriptions, async ({ caller }) =>
    all((await autoSubscriptions.list(caller.userId)).map(showAutoSubscription)),
  ),
} satisfies Record<keyof typeof routes, Operation>);
