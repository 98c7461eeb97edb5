import { createHmac } from 'node:crypto';
import type { Receiver, SentRequest } from '../sent-request.ts';

/** https://docs.stripe.com/webhooks#verify-manually: the body is indented, and signed as it is. */
export function chargeSucceeded({ address, secret }: Receiver, n: number): SentRequest {
  const at = Math.floor(Date.now() / 1000);
  const event = {
    id: `evt_1NG8Du2eZvKYlo2CUI79vXW${n}`,
    object: 'event',
    api_version: '2020-03-02',
    created: at,
    data: {
      object: { id: `ch_3MmlLrLkdIwHu7ix0snN0B1${n}`, object: 'charge', amount: 1099, currency: 'usd' },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'charge.succeeded',
  };
  const body = JSON.stringify(event, undefined, 2);
  const hmac = (key: string) => createHmac('sha256', key).update(`${at}.${body}`).digest('hex');
  return {
    url: address,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      // Events of test mode have a second signature, which receivers ignore.
      'Stripe-Signature': `t=${at},v1=${hmac(secret)},v0=${hmac('whsec_other')}`,
    },
    body,
  };
}
