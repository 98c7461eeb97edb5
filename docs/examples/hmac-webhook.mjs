import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** Receives webhooks that are signed with an HMAC of the body: GitHub's, Shopify's, and most others. */
export default {
  key: 'hmac-webhook',
  name: 'Signed webhook',
  version: '1.0.0',
  description: 'Emits the body of each request whose HMAC is right. The defaults are those of GitHub.',
  dedupe: 'unique',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    secret: { type: 'string', label: 'Secret', secret: true },
    header: { type: 'string', label: 'Header of the signature', default: 'x-hub-signature-256' },
    prefix: { type: 'string', label: 'Text before the signature', default: 'sha256=', optional: true },
    algorithm: {
      type: 'string',
      label: 'Algorithm',
      options: ['sha256', 'sha1', 'sha512'],
      default: 'sha256',
    },
    encoding: { type: 'string', label: 'Encoding', options: ['hex', 'base64'], default: 'hex' },
    idHeader: {
      type: 'string',
      label: 'Header of the id',
      description: 'Repeated requests with the same id are emitted once',
      default: 'x-github-delivery',
    },
  },
  run(event) {
    if (!this.isSigned(event)) {
      this.http.respond({ status: 401, body: { error: 'wrong signature' } });
      return;
    }
    this.http.respond({ status: 200, body: { ok: true } });
    const id = event.headers[this.idHeader.toLowerCase()] ?? randomUUID();
    this.$emit({ headers: event.headers, body: event.body }, { id, summary: `${event.method} ${event.path}` });
  },
  methods: {
    isSigned({ headers, bodyRaw = '' }) {
      const sent = headers[this.header.toLowerCase()] ?? '';
      const prefix = this.prefix ?? '';
      if (!sent.startsWith(prefix)) return false;
      const signature = Buffer.from(sent.slice(prefix.length), this.encoding);
      const expected = createHmac(this.algorithm, this.secret).update(bodyRaw).digest();
      return signature.length === expected.length && timingSafeEqual(signature, expected);
    },
  },
};
