import { setTimeout as pause } from 'node:timers/promises';
import { STREAMS, type Tenant } from '../model/tenant.ts';

/** Actions that run at the same time. */
const CLIENTS = 8;
/** A client rests between its actions, and longer while the service is away. */
const REST_MS = 20;
const AWAY_MS = 200;
/** Memory of the test and limits of the service: no more of each than this. */
const MAX_SOURCES = 20;
const MAX_WEBHOOKS = 40;
/** A source's `db` keeps every number; the service limits its size. */
const MAX_REMEMBERED = 4_000;

/** Acts as a user does, with random choices, until it is stopped. */
export async function randomActions(tenant: Tenant, random: () => number): Promise<{ stop(): Promise<void> }> {
  for (const kind of ['remembering', 'pass-through', 'listening'] as const) await tenant.createSource(kind);
  for (const behaviour of ['good', 'flaky'] as const) await tenant.createWebhook(behaviour);
  for (const emitter of tenant.emitters)
    for (const webhook of tenant.webhooks) await tenant.subscribe(emitter.id, webhook.id, 'default');
  const [, emitter] = tenant.emitters;
  const [listener] = tenant.listeners;
  const [webhook] = tenant.webhooks;
  if (emitter && listener !== undefined && webhook) {
    await tenant.subscribe(emitter.id, listener, 'default');
    await tenant.subscribe(listener, webhook.id, 'default');
  }

  let isStopped = false;
  const client = async () => {
    while (!isStopped) {
      const before = Date.now();
      await act(tenant, random);
      // A refused connection fails at once.
      await pause(Date.now() - before < 1 ? AWAY_MS : REST_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(clients);
    },
  };
}

async function act(tenant: Tenant, random: () => number): Promise<void> {
  const one = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const emitter = one(tenant.emitters);
  const stream = one(STREAMS) ?? 'default';
  const listener = one([...tenant.webhooks.map(({ id }) => id), ...tenant.listeners]);
  const choice = random();
  if (!emitter) return;
  if (choice < 0.9) {
    if (emitter.kind === 'remembering' && sentTo(tenant, emitter.id) > MAX_REMEMBERED) return;
    await tenant.send(emitter, { stream, pad: 'x'.repeat(random() < 0.05 ? 3_000 : 10) });
  } else if (choice < 0.94 && listener !== undefined) await tenant.subscribe(emitter.id, listener, stream);
  else if (choice < 0.96) {
    const known = one(tenant.history.subscriptions);
    const its = STREAMS.find((each) => each === known?.stream);
    if (known && its) await tenant.unsubscribe(known.emitter, known.listenerId, its);
  } else if (choice < 0.98 && tenant.webhooks.length < MAX_WEBHOOKS)
    await tenant.createWebhook(one(['good', 'flaky'] as const) ?? 'good');
  else if (choice < 0.985 && tenant.emitters.length < MAX_SOURCES)
    await tenant.createSource(one(['remembering', 'pass-through'] as const) ?? 'pass-through');
  else if (choice < 0.988 && tenant.webhooks.length > 10) {
    const webhook = one(tenant.webhooks);
    if (webhook) await tenant.deleteWebhook(webhook);
  }
}

const sentTo = ({ history }: Tenant, emitterId: string): number =>
  history.sent.filter((event) => event.emitterId === emitterId).length;
