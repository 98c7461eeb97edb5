import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import * as z from 'zod';
import { quantile } from '../../bench/closed-loop.ts';
import { type Observations, ObserverSettings, TICK_EVERY_MS } from './observations.ts';

/**
 * The neighbour: a user whose requests, deliveries and timer are measured. It has a process of its own, so that the
 * attacker's load does not delay its measurements. Latencies count from the moment when a request was due; requests
 * without a response count, too.
 */

const REQUEST_EVERY_MS = 30;
const EVENT_EVERY_MS = 500;
const TIMER_SECONDS = 15;

const settings = ObserverSettings.parse(JSON.parse(process.argv[2] ?? ''));
const authorization = `Bearer ${settings.key}`;
const agent = new Agent({ keepAlive: true });

interface Answered {
  status: number;
  text: string;
}

function send(method: string, url: string, headers: Record<string, string>, body = ''): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Latencies of requests that begin at a fixed rate. */
class Latencies {
  #done: number[] = [];
  readonly #open = new Set<number>();

  async measure(work: () => Promise<unknown>): Promise<void> {
    const dueAt = performance.now();
    this.#open.add(dueAt);
    await work();
    this.#open.delete(dueAt);
    this.#done.push(performance.now() - dueAt);
  }

  take(): Float64Array {
    const now = performance.now();
    const all = Float64Array.from([...this.#done, ...[...this.#open].map((dueAt) => now - dueAt)]).sort();
    this.#done = [];
    return all;
  }
}

const [gets, yardstick] = [new Latencies(), new Latencies()];
let failures: string[] = [];
/** Sent events by number, with the time of their request, until their delivery has arrived. */
const events = new Map<number, number>();
let deliveries: number[] = [];
let ticks = 0;
let lastTickAt: number | undefined;
let longestWithoutTick = 0;

const Delivered = z.union([z.object({ n: z.int() }), z.object({ tick: z.literal(true) })]);

const withoutTick = (now: number): number => Math.max(longestWithoutTick, now - (lastTickAt ?? now));

function take(body: string): void {
  const delivered = Delivered.parse(JSON.parse(body));
  const now = performance.now();
  if ('tick' in delivered) {
    ticks += 1;
    longestWithoutTick = withoutTick(now);
    lastTickAt = now;
    return;
  }
  const sentAt = events.get(delivered.n);
  if (sentAt === undefined) return;
  events.delete(delivered.n);
  deliveries.push(now - sentAt);
}

function report(): Observations {
  const now = performance.now();
  const [own, machine] = [gets.take(), yardstick.take()];
  const all = [...deliveries, ...[...events.values()].map((sentAt) => now - sentAt)];
  const observed = {
    requests: own.length,
    p50Ms: quantile(own, 0.5),
    p99Ms: quantile(own, 0.99),
    slowestMs: quantile(own, 1),
    yardstickP99Ms: quantile(machine, 0.99),
    deliveries: deliveries.length,
    slowestDeliveryMs: Math.round(Math.max(0, ...all)),
    ticks,
    longestWithoutTickMs: Math.round(withoutTick(now)),
    failures,
  };
  failures = [];
  deliveries = [];
  ticks = 0;
  longestWithoutTick = 0;
  return observed;
}

const receiver = createServer((incoming, response) => {
  let body = '';
  incoming.setEncoding('utf8');
  incoming.on('data', (chunk: string) => (body += chunk));
  incoming.on('end', () => {
    response.end();
    take(body);
  });
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));

async function create(path: string, body: unknown): Promise<unknown> {
  const headers = { authorization, 'content-type': 'application/json' };
  const { status, text } = await send('POST', `${settings.base}${path}`, headers, JSON.stringify(body));
  if (status !== 200) throw new Error(`POST ${path}: ${status} ${text}`);
  return JSON.parse(text);
}

const Created = z.object({ data: z.object({ id: z.string() }) });
const WithEndpoint = z.object({
  data: z.object({ configured_props: z.object({ http: z.object({ endpoint_url: z.string() }) }) }),
});
// The names of the webhook and of the run are resolved: a resolver that is busy delays them.
const url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
const webhook = Created.parse(await create('/webhooks', { url })).data;
await create('/subscriptions', { emitter_id: 'dc_*', listener_id: webhook.id });
const endpoint = WithEndpoint.parse(
  await create('/sources', {
    component_code: `import { lookup } from 'node:dns/promises';
export default { name: 'Echo', version: '0.0.1', props: { http: '$.interface.http' }, async run({ body }) { await lookup('localhost'); this.$emit(body); } };`,
  }),
).data.configured_props.http.endpoint_url;
// A timer has at least 15 s: several, one after the other, tick more often. They have begun before the warm-up of the
// service ends.
for (let delayMs = 0; delayMs < TIMER_SECONDS * 1_000; delayMs += TICK_EVERY_MS) {
  if (delayMs > 0) await passed(TICK_EVERY_MS);
  await create('/sources', {
    component_code: `export default { name: 'Ticks', version: '0.0.1', props: { timer: { type: '$.interface.timer', default: { intervalSeconds: ${TIMER_SECONDS} } } }, run() { this.$emit({ tick: true }); } };`,
  });
}

const fail = (what: string) => (error: Error) => void failures.push(`${what}: ${error.message}`);
setInterval(() => {
  void gets.measure(() =>
    send('GET', `${settings.base}/users/me`, { authorization }).then(({ status }) => {
      if (status !== 200) failures.push(`GET /users/me: ${status}`);
    }, fail('GET /users/me')),
  );
  void yardstick.measure(() =>
    send('GET', `http://127.0.0.1:${settings.yardstickPort}/`, {}).catch(fail('the yardstick')),
  );
}, REQUEST_EVERY_MS);

let sent = 0;
setInterval(() => {
  sent += 1;
  const n = sent;
  events.set(n, performance.now());
  // A new connection each time: those that are there already may be served better.
  const headers = { 'content-type': 'application/json', connection: 'close' };
  send('POST', endpoint, headers, JSON.stringify({ n })).then(({ status }) => {
    if (status !== 200) failures.push(`POST to the endpoint: ${status}`);
  }, fail('POST to the endpoint'));
}, EVENT_EVERY_MS);

process.on('message', () => process.send?.(report()));
process.on('disconnect', () => process.exit());
process.send?.('ready');
