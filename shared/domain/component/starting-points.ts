interface StartingPointInput {
  key: string;
  name: string;
  isTypeScript?: boolean;
}

export interface StartingPoint {
  about: string;
  code(input: StartingPointInput): string;
}

const MODULE = '@tributary-events/tributary/component';

/** The component in JavaScript, or in TypeScript, which knows `this` by `defineSource`. */
function source(
  { key, name, isTypeScript = false }: StartingPointInput,
  more: string,
  types: readonly string[] = [],
): string {
  const members = `  key: ${text(key)},
  name: ${text(name)},
  version: '0.0.1',
  type: 'source',
${more}`;
  if (!isTypeScript) return `export default {\n${members}};\n`;
  const names = ['defineSource', ...types.map((type) => `type ${type}`)].join(', ');
  return `import { ${names} } from ${text(MODULE)};\n\nexport default defineSource({\n${members}});\n`;
}

const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`;

const RESPONDING = `  async run(event) {
    if (!this.isSigned(event)) {
      this.http.respond({ status: 401, body: { error: 'wrong signature' } });
      return;
    }
    this.http.respond({ status: 200, body: { ok: true } });
    const { method, path, body } = event;
    this.$emit({ method, path, body }, { summary: \`\${method} \${path}\` });
  },
`;

const signed = (type: string): string => `  methods: {
    isSigned({ headers, bodyRaw = '' }${type}) {
      if (!this.secret) return true;
      const expected = createHmac('sha256', this.secret).update(bodyRaw).digest();
      const sent = Buffer.from(headers['x-signature'] ?? '', 'hex');
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  },
`;

/** Components to begin with; each runs as it is. */
export const STARTING_POINTS: Readonly<Record<'poller' | 'webhook' | 'cron' | 'listener' | 'relay', StartingPoint>> = {
  poller: {
    about: 'A component that asks an API for new items every 15 minutes.',
    code: (input) =>
      source(
        input,
        `  // Each item is emitted once, by its id.
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
    const items = ${input.isTypeScript === true ? '(await response.json()) as { id: number; name?: string }[]' : 'await response.json()'};
    // Oldest first, so that events are in the order of the items.
    for (const item of items.reverse()) {
      this.$emit(item, { id: item.id, summary: String(item.name ?? item.id) });
    }
  },
`,
      ),
  },
  webhook: {
    about: 'A component that receives HTTP requests and emits their bodies.',
    code: (input) =>
      `import { createHmac, timingSafeEqual } from 'node:crypto';\n${input.isTypeScript === true ? '' : '\n'}${source(
        input,
        `  props: {
    http: { type: '$.interface.http', customResponse: true },
    secret: {
      type: 'string',
      label: 'Signing secret',
      description: 'Requests must have its HMAC-SHA256 of the body as x-signature; empty accepts all',
      secret: true,
      optional: true,
    },
  },
${input.isTypeScript === true ? `${signed(': HttpEvent')}${RESPONDING}` : `${RESPONDING}${signed('')}`}`,
        ['HttpEvent'],
      )}`,
  },
  cron: {
    about: 'A component that runs at fixed times.',
    code: (input) =>
      source(
        input,
        `  props: {
    db: '$.service.db',
    // Five fields, UTC: every day at 06:00.
    timer: { type: '$.interface.timer', default: { cron: '0 6 * * *' } },
  },
  async run(event) {
    const count = ${input.isTypeScript === true ? "Number(this.db.get('count') ?? 0)" : "(this.db.get('count') ?? 0)"} + 1;
    this.db.set('count', count);
    console.log(\`run \${count}\`);
    this.$emit({ count, timestamp: event.timestamp }, { id: count, summary: \`Run \${count}\` });
  },
`,
      ),
  },
  listener: {
    about: 'A component that gets the events of other sources, changes them and emits them.',
    code: (input) =>
      source(
        input,
        `  // Let it listen: tributary subscriptions create EMITTER LISTENER
  run(event${input.isTypeScript === true ? ': Record<string, unknown>' : ''}) {
    const names = Object.keys(event);
    this.$emit({ ...event, heard: true }, { summary: \`Heard \${names.slice(0, 5).join(', ')}\` });
  },
`,
      ),
  },
  relay: {
    about: 'A component that emits every event of an app, to which other sources listen.',
    code: (input) =>
      source(
        input,
        `  // Set its endpoint as the address of your app, and the app's secret in the account.
  props: {
    slack: { type: 'app', app: 'slack' },
    hook: { type: '$.interface.apphook', appProp: 'slack' },
  },
`,
      ),
  },
};
