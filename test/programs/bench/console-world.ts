import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** The limits of a user: rows of the lists of sources and of webhooks. */
export const ROWS = 1_000;
const SOURCES = ROWS;
const WEBHOOKS = ROWS;
const SUBSCRIPTIONS = 10_000;
const DELIVERIES = 10_000;
const EVENTS_PER_RUN = 100;

const CLIENTS = 16;
const COMPONENT = `export default {
  key: 'orders', name: 'Orders', version: '0.0.1', props: { http: '$.interface.http' },
  run({ body }) {
    if (body.n % 50 === 0) console.log('order', body.n);
    for (let n = 0; n < (body.events ?? 1); n += 1) this.$emit(body);
  },
};`;

const Created = z.object({ data: z.looseObject({ id: z.string(), component_id: z.string().optional() }) });
const Counted = z.object({ page_info: z.object({ total_count: z.number() }) });
const Endpoint = z.object({ endpoint_url: z.string() });

/** A service with all that a user can have, and a webhook with 10,000 deliveries. */
export interface ConsoleWorld {
  readonly service: Service;
  /** The source that gets the load. */
  readonly sourceId: string;
  readonly endpoint: string;
  readonly webhookId: string;
  /** A webhook with 10,000 deliveries. */
  readonly busyWebhookId: string;
  stop(): Promise<void>;
}

export async function startConsoleWorld(): Promise<ConsoleWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-bench-console-'));
  const service = await startService({ dataDir });
  const post = async (path: string, body: unknown) => {
    const response = await fetch(`${service.base}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
    return Created.parse(JSON.parse(text)).data;
  };
  const first = await post('/sources', { component_code: COMPONENT, name: 'Orders of the shop' });
  const sources = await many(SOURCES - 1, (n) =>
    post('/sources', { component_id: first.component_id, name: `Orders of branch ${n}` }),
  );
  const webhooks = await many(WEBHOOKS, (n) =>
    post('/webhooks', { url: `http://127.0.0.1:9/${n}`, name: `Ledger of branch ${n}` }),
  );
  const [busySource, busyWebhook] = [sources.at(-1)?.id, webhooks.at(-1)?.id];
  const perSource = (SUBSCRIPTIONS - 1) / (SOURCES - 2);
  await many(SUBSCRIPTIONS - 1, (n) =>
    post('/subscriptions', {
      emitter_id: sources[Math.floor(n / perSource)]?.id,
      listener_id: webhooks[n % WEBHOOKS]?.id,
    }),
  );
  await post('/subscriptions', { emitter_id: busySource, listener_id: busyWebhook });
  await many(DELIVERIES / EVENTS_PER_RUN, (n) =>
    // Beside others, a run may be refused.
    until('a run is accepted', () =>
      post(`/sources/${busySource}/run`, { n, events: EVENTS_PER_RUN }).catch(() => undefined),
    ),
  );
  const listed = `${service.base}/webhooks/${busyWebhook}/deliveries?limit=1`;
  await until(
    'the deliveries are listed',
    async () => {
      const response = await fetch(listed, { headers: { authorization: `Bearer ${TEST_KEY}` } });
      // The service counts up to 1,000.
      return Counted.parse(await response.json()).page_info.total_count >= Math.min(DELIVERIES, 1_000);
    },
    { withinMs: 600_000, everyMs: 500 },
  );
  return {
    service,
    sourceId: first.id,
    endpoint: Endpoint.parse(first).endpoint_url,
    webhookId: webhooks[0]?.id ?? '',
    busyWebhookId: busyWebhook ?? '',
    async stop() {
      await stopService(service);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Makes many things, some at the same time. */
async function many<Made>(count: number, make: (n: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  let next = 0;
  const client = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      made[n] = await make(n);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return made;
}
