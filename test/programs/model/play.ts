import fc from 'fast-check';
import type { FakeClock } from '../../../infra/embedded/clock.ts';
import { randomFaults } from '../../../infra/embedded/faults.ts';
import { SourceId } from '../../../shared/domain/id.ts';
import { sourceStore } from '../../../shared/store/emitters/sources.ts';
import type { TestCloud } from '../../support/cloud.ts';
import { operator } from '../../support/operator.ts';
import { aUser, aWorkflow, tableOf } from '../../support/stores.ts';
import { brokenPromises } from './promises.ts';
import { askForDb, seenBy } from './seen-by.ts';
import { countedUntilNow, leftByRecoveries, leftWaiting, recoverAll, seenWebhooks } from './seen-webhooks.ts';
import type { SeededFaults } from './seeded-faults.ts';
import { lastOutage } from './steps/time.ts';
import { workload } from './steps/steps.ts';
import { Tenant, type TenantOptions } from './tenant.ts';
import type { WebhookResponses } from './webhook-responses.ts';
import { Work } from './quiet.ts';

export interface Stage {
  readonly cloud: TestCloud;
  readonly clock: FakeClock;
  readonly faults: SeededFaults;
  readonly responses: WebhookResponses;
  readonly components: TenantOptions['components'];
}

interface Played {
  readonly broken: string[];
  readonly acknowledged: number;
  readonly deliveries: number;
  readonly deadLetters: number;
}

interface Letter {
  queue: string;
  message: string;
  emitter?: string;
}

const HOUR_MS = 3_600_000;
/** The last retry comes 91 h after the first attempt. */
const ALL_RETRIES_MS = 100 * HOUR_MS;

/**
 * Plays the workload of a seed with the faults of the seed, lets all work end without faults, and answers with the
 * promises that broke.
 */
export async function play(stage: Stage, { seed, rounds }: { seed: number; rounds: number }): Promise<Played> {
  const { cloud, clock, faults, responses } = stage;
  const work = new Work(cloud, clock);
  const tenant = await openTenant(stage);
  responses.isFaulty = true;
  responses.isCalm = false;
  responses.onGone = (path) => {
    tenant.goneAt(path);
  };
  const steps = fc.sample(workload(rounds), { seed, numRuns: 1 })[0] ?? [];
  const random = randomFaults(seed, { 'late-schedule': 0.5 });
  const context = { tenant, faults, work };

  const startedAt = work.now();
  faults.begin(seed);
  const stop = work.tick(() => (random.inject('late-schedule') ? 20 : 700));
  for (const round of steps) await Promise.all(round.map((step) => step(context)));
  await lastOutage(context, seed);
  stop();
  faults.end();
  responses.isFaulty = false;

  await work.pass(ALL_RETRIES_MS);
  responses.isCalm = true;
  const letters = await redriveAll(cloud, work);
  await work.pass(ALL_RETRIES_MS);
  const before = await countedUntilNow(tenant, responses);
  const left = await leftWaiting(tenant, responses);
  if (left.length > 0) left.push(`this work had not ended then: ${JSON.stringify(await work.left())}`);
  // A recovery of the workload may still run: the service answers with it, and the second request begins another one.
  for (let times = 0; times < 2; times += 1) {
    left.push(...(await recoverAll(tenant, responses, startedAt)));
    await work.pass(ALL_RETRIES_MS);
    left.push(...(await leftByRecoveries(tenant, responses, startedAt)));
  }
  // A source that was behind refuses requests for a while.
  clock.advance(HOUR_MS);
  const isReported = await askForDb(tenant);
  await work.pass(ALL_RETRIES_MS);
  const redriven = new Set(letters.flatMap(({ queue, emitter }) => (queue === 'runs' && emitter ? [emitter] : [])));
  left.push(...(await unfinishedSources(cloud, tenant)));
  const seen = await seenBy(tenant);
  const broken = brokenPromises(tenant.history, {
    ...seen,
    webhooks: await seenWebhooks(tenant, responses, before),
    redriven,
    leftOver: await work.left(),
  });
  return {
    broken: [...broken, ...(isReported ? [] : ['a source refused to report its db']), ...left],
    acknowledged: tenant.history.sent.filter(({ isAcknowledged }) => isAcknowledged).length,
    deliveries: seen.deliveries.length,
    deadLetters: letters.length,
  };
}

/** A user with an emitter of each kind and webhooks of each behaviour. */
async function openTenant({ cloud, responses, components }: Stage): Promise<Tenant> {
  const { id, key } = await aUser(cloud, 'paid');
  const workflow = await aWorkflow(cloud, id);
  const tenant = new Tenant({ base: cloud.base, key, responses, components, workflow });
  await tenant.createSource('remembering');
  await tenant.createSource('pass-through');
  await tenant.createSource('listening');
  for (const behaviour of ['good', 'good', 'flaky', 'failing', 'gone'] as const) await tenant.createWebhook(behaviour);
  if (tenant.emitters.length !== 3 || tenant.listeners.length !== 1)
    throw new Error('The sources of the workload could not be made.');
  for (const [index, { id }] of tenant.webhooks.entries()) {
    for (const [other, emitter] of tenant.emitters.entries())
      if ((index + other) % 2 === 0) await tenant.subscribe(emitter.id, id, 'default');
  }
  const [listener] = tenant.listeners;
  const [, first] = tenant.emitters;
  if (listener !== undefined && first) await tenant.subscribe(first.id, listener, 'default');
  const [webhook] = tenant.webhooks;
  if (listener !== undefined && webhook) await tenant.subscribe(listener, webhook.id, 'default');
  return tenant;
}

/**
 * An update that was accepted is executed in the end, and of a source whose deletion was acknowledged nothing is left.
 */
async function unfinishedSources(cloud: TestCloud, { sourceIds, history }: Tenant): Promise<string[]> {
  const sources = sourceStore(tableOf(cloud));
  const broken: string[] = [];
  for (const id of sourceIds) {
    const deletions = history.livesOf(id).filter(({ to }) => to === 'off');
    const source = await sources.find(SourceId.parse(id));
    if (deletions.some(({ isAcknowledged }) => isAcknowledged) && source) broken.push(`${id} is not removed`);
    if (deletions.length === 0 && source?.pending) broken.push(`an update of ${id} is not executed`);
  }
  return broken;
}

/**
 * Brings every dead letter back, as the operator does. Those of timers are dropped: the next hour's job does their
 * work.
 */
async function redriveAll(cloud: TestCloud, work: Work): Promise<Letter[]> {
  const run = operator(cloud);
  // A long poll waits for the clock.
  const stop = work.tick(() => 500);
  try {
    const letters = await run<Letter[]>('dead-letters list');
    for (const queue of new Set(letters.map((letter) => letter.queue)))
      await (queue === 'timers'
        ? run('dead-letters drop', { queue, message: 'all' })
        : run('dead-letters redrive', { queue }));
    return letters;
  } finally {
    stop();
  }
}
