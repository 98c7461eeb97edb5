export interface StartingPoint {
  about: string;
  code(names: { key: string; name: string }): string;
}

const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

/** Components to begin with; each runs as it is. */
export const STARTING_POINTS: Readonly<Record<'poller' | 'webhook' | 'cron', StartingPoint>> = {
  poller: {
    about: 'A component that asks an API for new items every 15 minutes.',
    code: ({ key, name }) => `export default {
  key: ${text(key)},
  name: ${text(name)},
  version: '0.0.1',
  type: 'source',
  // Each item is emitted once, by its id.
  dedupe: 'unique',
  props: {
    db: '$.service.db',
    timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } },
    url: {
      type: 'string',
      label: 'URL',
      description: 'Address of a JSON list of items with an id',
      default: 'https://api.github.com/repos/nodejs/node/releases',
    },
  },
  async run() {
    const response = await fetch(this.url);
    if (!response.ok) throw new Error(\`\${this.url} answered \${response.status}\`);
    const items = await response.json();
    // Oldest first, so that events are in the order of the items.
    for (const item of items.reverse()) {
      this.$emit(item, { id: item.id, summary: String(item.name ?? item.id) });
    }
  },
};
`,
  },
  webhook: {
    about: 'A component that receives HTTP requests and emits their bodies.',
    code: ({ key, name }) => `import { createHmac, timingSafeEqual } from 'node:crypto';

export default {
  key: ${text(key)},
  name: ${text(name)},
  version: '0.0.1',
  type: 'source',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    secret: {
      type: 'string',
      label: 'Signing secret',
      description: 'Requests must have its HMAC-SHA256 of the body as x-signature; empty accepts all',
      secret: true,
      optional: true,
    },
  },
  async run(event) {
    if (!this.isSigned(event)) {
      this.http.respond({ status: 401, body: { error: 'wrong signature' } });
      return;
    }
    this.http.respond({ status: 200, body: { ok: true } });
    this.$emit({ method: event.method, path: event.path, body: event.body });
  },
  methods: {
    isSigned({ headers, bodyRaw = '' }) {
      if (!this.secret) return true;
      const expected = createHmac('sha256', this.secret).update(bodyRaw).digest();
      const sent = Buffer.from(headers['x-signature'] ?? '', 'hex');
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  },
};
`,
  },
  cron: {
    about: 'A component that runs at fixed times.',
    code: ({ key, name }) => `export default {
  key: ${text(key)},
  name: ${text(name)},
  version: '0.0.1',
  type: 'source',
  props: {
    db: '$.service.db',
    // Five fields, UTC: every day at 06:00.
    timer: { type: '$.interface.timer', default: { cron: '0 6 * * *' } },
  },
  async run(event) {
    const count = (this.db.get('count') ?? 0) + 1;
    this.db.set('count', count);
    console.log(\`run \${count}\`);
    this.$emit({ count, timestamp: event.timestamp }, { id: count, summary: \`Run \${count}\` });
  },
};
`,
  },
};
