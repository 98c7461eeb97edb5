import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { newId, SourceId, SubscriptionId, type UserId, WebhookId } from '../../shared/domain/id.ts';
import type { Component } from '../../shared/domain/component/component.ts';
import { planSource } from '../../shared/domain/source/source-revision.ts';
import { readCounts } from '../../shared/store/table/counts.ts';
import { sourceStore } from '../../shared/store/emitters/sources.ts';
import { subscriptionStore } from '../../shared/store/subscriptions/subscriptions.ts';
import type { TableOptions } from '../../shared/store/table/table-client.ts';
import { webhookStore } from '../../shared/store/subscriptions/webhooks.ts';
import { aWebhook } from '../support/a-webhook.ts';
import { apiClient } from '../support/api-client.ts';
import { assemblyWith } from '../support/assembly-with.ts';
import { startTestCloud, type TestCloud } from '../support/cloud.ts';
import { aUser, tableOf } from '../support/stores.ts';

let cloud: TestCloud;
let table: TableOptions;
let ownerId: UserId;
beforeAll(async () => {
  cloud = await startTestCloud();
  table = tableOf(cloud);
  ({ id: ownerId } = await aUser(cloud));
});
afterAll(() => cloud.stop());

/** Ten concurrent requests with a limit of five. */
async function tenOfFive(make: (n: number) => Promise<unknown>): Promise<void> {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => make(n)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(refused).toHaveLength(5);
  for (const reason of refused) expect(reason).toMatchObject({ kind: 'conflict', code: 'limit_reached' });
}

const newWebhook = () => aWebhook({ id: WebhookId.parse(newId('webhook', Date.now(), randomBytes)), ownerId });

function aSource() {
  const description = { name: 'x', props: [], hasRun: true, hooks: [], hasAdditionalProps: false };
  return planSource({
    id: SourceId.parse(newId('source', Date.now(), randomBytes)),
    component: { id: 'sc_1', bundleHash: 'b', description } as unknown as Component,
    ownerId,
    settings: { name: 'x', configuredProps: {}, active: undefined, endpoint: undefined, tags: undefined },
    props: {},
    endpointId: 'e',
    now: Date.now(),
  });
}

test('concurrent requests never exceed the limits of sources, webhooks and subscriptions', async () => {
  const [sources, webhooks, subscriptions] = [sourceStore(table), webhookStore(table), subscriptionStore(table)];
  await tenOfFive(() => sources.create(aSource(), 5));
  await tenOfFive(() => webhooks.create(newWebhook(), 5));
  const listener = newWebhook();
  await webhooks.create(listener, 6);
  await tenOfFive((n) =>
    subscriptions.create(
      {
        id: SubscriptionId.parse(newId('subscription', Date.now(), randomBytes)),
        ownerId,
        emitter: 'dc_*',
        listenerId: listener.id,
        eventName: `s${n}`,
        createdAt: 1,
      },
      5,
    ),
  );
  expect(await readCounts(table, ownerId)).toEqual({
    sources: 5,
    webhooks: 6,
    accounts: 0,
    subscriptions: 5,
    components: 0,
    delayedEmits: 0,
  });
});

test('a removal makes room again', async () => {
  const sources = sourceStore(table);
  const { items } = await sources.list(ownerId, { limit: 100 });
  expect(items.map(({ configuration }) => configuration.nameSlug).sort()).toEqual(['x', 'x-1', 'x-2', 'x-3', 'x-4']);
  for (const { id } of items) expect(await sources.tombstone(id)).toBe(true);
  expect((await sources.list(ownerId, { limit: 100 })).items).toEqual([]);
  expect((await sources.create(aSource(), 5)).configuration.nameSlug).toBe('x');
});

test('a user with the most components gets 409 for another one, and may save and use those that exist', async () => {
  const full = await startTestCloud({ assembly: assemblyWith({ limits: { components: 2 } }) });
  onTestFinished(() => full.stop());
  const api = await apiClient(full.base, full.key);
  const code = (n: number) => `export default { name: 'Component ${n}', version: '0.0.${n}', run() {} };`;
  const save = (n: number) => api.post('/components', { component_code: code(n) });
  const outcomes = await Promise.all([save(0), save(1), save(2), save(3)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
  const [first] = outcomes.flatMap(({ status }, n) => (status === 200 ? [n] : []));
  const refused = await save(9);
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      code: 'limit_reached',
      error:
        'You have reached the limit of 2 components. Use one of them by its component_id, or ask the operator for a higher limit.',
    },
  ]);
  const again = await save(first ?? 0);
  expect(again.status).toBe(200);
  expect((await api.post('/sources', { component_code: code(9) })).status).toBe(409);
  expect((await api.post('/sources', { component_id: again.body.data.id })).status).toBe(200);
});
