import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** Receives Stripe's webhooks, or those of a service that signs like Stripe: `t=TIME,v1=HMAC`. */
export default {
  key: 'stripe-webhook',
  name: 'Stripe event',
  version: '1.0.0',
  description: 'Emits each event that Stripe sends, after a check of its signature.',
  // Stripe repeats a request that it got no answer to.
  dedupe: 'unique',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    secret: {
      type: 'string',
      label: 'Signing secret',
      description: 'whsec_… of the endpoint at Stripe',
      secret: true,
    },
  },
  run({ headers, body, bodyRaw = '' }) {
    const problem = this.problemOf(headers['stripe-signature'] ?? '', bodyRaw);
    if (problem) {
      this.http.respond({ status: 400, body: { error: problem } });
      return;
    }
    this.http.respond({ status: 200, body: { received: true } });
    this.$emit(body, { id: body.id, summary: body.type, ts: body.created * 1000 });
  },
  methods: {
    problemOf(signature, bodyRaw) {
      const parts = signature.split(',').map((part) => part.trim().split('='));
      const time = parts.find(([name]) => name === 't')?.[1];
      if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return 'old or missing timestamp';
      const expected = createHmac('sha256', this.secret).update(`${time}.${bodyRaw}`).digest();
      const isSigned = parts
        .filter(([name]) => name === 'v1')
        .map(([, hex = '']) => Buffer.from(hex, 'hex'))
        .some((sent) => sent.length === expected.length && timingSafeEqual(sent, expected));
      return isSigned ? undefined : 'wrong signature';
    },
  },
};
