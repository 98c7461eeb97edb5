import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { LISTENING, PASS_THROUGH, REMEMBERING } from '../model/components.ts';
import { brokenPromises } from '../model/promises.ts';
import { askForDb, seenBy } from '../model/seen-by.ts';
import { recoverAll, seenWebhooks } from '../model/seen-webhooks.ts';
import { Tenant } from '../model/tenant.ts';
import { WebhookResponses } from '../model/webhook-responses.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Service, startService, stopService, TEST_KEY } from '../../support/service.ts';
import { randomActions } from './random-actions.ts';
import { repeatedRecoveries } from './repeated-recoveries.ts';
import { seededRandom } from './seeded-random.ts';

interface EndureOptions {
  minutes: number;
  seed: number;
  onKill?: (kill: { kill: number; afterSeconds: number; acknowledged: number; readyMs: number }) => void;
}

interface Check {
  what: string;
  count: number;
}

/** Seconds between a start and the kill that ends it. */
const LIFE_SECONDS = { least: 1, most: 15 };
/**
 * A killed attempt is repeated after the visibility timeout, 360 s. On a busy machine attempts also time out: the
 * retries after two failures come 5 s and then 5 minutes later, with 20 % of jitter.
 */
const SETTLED_WITHIN_MS = 540_000;
/** A recovery goes on when its message is visible again, 360 s after the kill. Other kills come meanwhile. */
const LONGEST_ROUND_MS = 30_000;
const DAY_MS = 86_400_000;

/** Runs a random workload against a service that is killed again and again. */
export async function endure({ minutes, seed, onKill }: EndureOptions): Promise<{ checks: Check[]; broken: string[] }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tributary-chaos-'));
  const receiver = await Receiver.start();
  let service = await startService({ dataDir });
  try {
    const port = Number(new URL(service.origin).port);
    const ingressPort = Number(new URL(service.ingress).port);
    const random = seededRandom(seed);
    const responses = new WebhookResponses(receiver);
    const components = await componentsOf(service);
    const options = { base: service.base, key: TEST_KEY, responses, components };
    const [tenant, recovering] = [new Tenant(options), new Tenant(options)];
    const workload = await randomActions(tenant, random);
    const recoveries = await repeatedRecoveries(recovering);
    const acknowledged = () => tenant.history.sent.filter((event) => event.isAcknowledged).length;

    let kills = 0;
    let interrupted = 0;
    for (const end = Date.now() + minutes * 60_000; Date.now() < end;) {
      const afterSeconds = LIFE_SECONDS.least + random() * (LIFE_SECONDS.most - LIFE_SECONDS.least);
      await pause(afterSeconds * 1_000);
      // Every second kill waits for a recovery that it interrupts.
      if (await recoveries.interruption(kills % 2 === 1 ? LONGEST_ROUND_MS : 0)) interrupted += 1;
      service.process.kill('SIGKILL');
      await service.ended;
      const killedAt = Date.now();
      service = await startService({ dataDir, port, ingressPort });
      onKill?.({
        kill: (kills += 1),
        afterSeconds: Math.round(afterSeconds * 10) / 10,
        acknowledged: acknowledged(),
        readyMs: Date.now() - killedAt,
      });
    }
    await Promise.all([workload.stop(), recoveries.stop()]);
    const broken = [...(await settled(tenant)), ...(await recovered(recovering, responses))];
    const counts = { kills, interrupted, recoveries: recoveries.ended, acknowledged: acknowledged() };
    return { broken, checks: checksOf(tenant, counts) };
  } finally {
    await stopService(service);
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The promises that are still broken when all work should have ended. */
async function settled(tenant: Tenant): Promise<string[]> {
  for (const end = Date.now() + SETTLED_WITHIN_MS; ; await pause(1_000)) {
    const isReported = await askForDb(tenant);
    await pause(1_000);
    const broken = brokenPromises(tenant.history, {
      ...(await seenBy(tenant)),
      redriven: new Set(),
      webhooks: [],
      leftOver: {},
    });
    if ((isReported && broken.length === 0) || Date.now() > end) return broken;
  }
}

/** The promises that are still broken when everything that was held should have been recovered. */
async function recovered(tenant: Tenant, responses: WebhookResponses): Promise<string[]> {
  const refusals = await recoverAll(tenant, responses, Date.now() - DAY_MS);
  if (refusals.length > 0) return refusals;
  for (const end = Date.now() + SETTLED_WITHIN_MS; ; await pause(1_000)) {
    const broken = brokenPromises(tenant.history, {
      ...(await seenBy(tenant)),
      redriven: new Set(),
      webhooks: await seenWebhooks(tenant, responses),
      leftOver: {},
    });
    if (broken.length === 0 || Date.now() > end) return broken;
  }
}

interface Counts {
  kills: number;
  recoveries: number;
  /** Recoveries that a kill interrupted. */
  interrupted: number;
  acknowledged: number;
}

function checksOf(tenant: Tenant, { kills, recoveries, interrupted, acknowledged }: Counts): Check[] {
  const { history, emitters, listeners, webhooks } = tenant;
  return [
    { what: 'kills of the service with SIGKILL', count: kills },
    { what: 'recoveries: everything that was held is delivered', count: recoveries },
    { what: 'kills while a recovery sent, which went on later', count: interrupted },
    { what: 'events sent', count: history.sent.length },
    {
      what: 'acknowledged events: stored or trimmed, and delivered to every subscriber',
      count: acknowledged,
    },
    { what: 'deliveries: each one wanted by a subscription', count: tenant.deliveries().length },
    { what: 'emitters: streams in order, each event once, db complete', count: emitters.length },
    { what: 'listening sources', count: listeners.length },
    { what: 'webhooks', count: webhooks.length },
    { what: 'subscriptions made or deleted', count: history.subscriptions.length },
  ];
}

const Created = z.object({ data: z.object({ id: z.string() }) });

async function componentsOf({ base }: Service) {
  const component = async (code: string): Promise<string> => {
    const response = await fetch(`${base}/components`, {
      method: 'POST',
      headers: { authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ component_code: code }),
    });
    return Created.parse(await response.json()).data.id;
  };
  return {
    remembering: await component(REMEMBERING),
    'pass-through': await component(PASS_THROUGH),
    listening: await component(LISTENING),
  };
}
