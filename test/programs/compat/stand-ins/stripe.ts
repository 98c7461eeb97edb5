import { createHmac } from 'node:crypto';
import { bearer, type HookScenario } from '../scenario.ts';
import { register, remove, title } from './common.ts';

const stripeSigned = (n: number, secret: string) => {
  const at = Math.floor(Date.now() / 1000);
  return `t=${at},v1=${createHmac('sha256', secret)
    .update(`${at}.${JSON.stringify(stripeBody(n))}`)
    .digest('hex')}`;
};
const stripeBody = (n: number) => ({
  id: `evt_${n}`,
  object: 'event',
  type: 'charge.succeeded',
  data: { object: { id: title(n) } },
});
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
  delivery: (n) => ({
    headers: { 'stripe-signature': stripeSigned(n, 'whsec_stripe') },
    body: stripeBody(n),
  }),
  emits: (n) => ({ event: stripeBody(n) }),
  responses: { status: 200 },
  wrong: () => ({
    headers: { 'stripe-signature': stripeSigned(3, 'whsec_guessed') },
    body: stripeBody(3),
    status: 400,
  }),
};
