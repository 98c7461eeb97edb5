import { bearer, type HookScenario } from '../scenario.ts';
import { chargeSucceeded } from '../senders/stripe.ts';
import { register, remove } from './common.ts';

export const stripe: HookScenario = {
  component: 'stripe/sources/custom-webhook-events/custom-webhook-events.js',
  host: 'api.stripe.com',
  account: { prop: 'stripe', app: 'stripe', fields: { api_key: 'stripe-key' } },
  props: () => ({ enabledEvents: ['charge.succeeded', 'charge.failed'] }),
  customResponse: true,
  activate: (endpoint) => [
    register({
      method: 'POST',
      path: '/v1/webhook_endpoints',
      headers: { ...bearer('stripe-key'), 'stripe-version': '2020-03-02' },
      body: {
        url: endpoint(),
        'enabled_events[0]': 'charge.succeeded',
        'enabled_events[1]': 'charge.failed',
      },
      response: { body: { id: 'we_1', object: 'webhook_endpoint', secret: 'whsec_stripe' } },
    }),
  ],
  deactivate: () => [
    remove({
      method: 'DELETE',
      path: '/v1/webhook_endpoints/we_1',
      headers: bearer('stripe-key'),
      response: { body: { id: 'we_1', object: 'webhook_endpoint', deleted: true } },
    }),
  ],
  secret: () => 'whsec_stripe',
  sends: chargeSucceeded,
  emits: (_, { body }) => ({ event: JSON.parse(body) }),
  responses: { status: 200 },
  wrong: (to) => ({ ...chargeSucceeded({ ...to, secret: 'whsec_guessed' }, 3), status: 400 }),
};
