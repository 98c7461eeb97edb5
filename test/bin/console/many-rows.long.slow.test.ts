import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newId, SourceId, WebhookId } from '../../../shared/domain/id.ts';
import { slugOf } from '../../../shared/domain/source/slug.ts';
import { sourceStore } from '../../../shared/store/emitters/sources.ts';
import { webhookStore } from '../../../shared/store/subscriptions/webhooks.ts';
import { assemblyWith } from '../../support/assembly-with.ts';
import { emitter } from '../../support/components.ts';
import { choose, type ConsoleBrowser, describeConsole, keepPicture, loaded } from '../../support/console-browser.ts';
import { Receiver } from '../../support/receiver.ts';
import { tableOf } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const COUNT = 10_000;
const LIMIT = COUNT + 1;
const CLIENTS = 4;
const EVENTS_PER_RUN = 100;

/** Makes many things, some at the same time. */
async function makeMany(count: number, make: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async () => {
    for (let n = next++; n < count; n = next++) await make(n);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** As requests would store them, which takes several times as long. */
async function copyMany({ cloud }: ConsoleBrowser, ids: { source: string; webhook: string }): Promise<void> {
  const [sources, webhooks] = [sourceStore(tableOf(cloud)), webhookStore(tableOf(cloud))];
  const source = (await sources.find(SourceId.parse(ids.source))) ?? expect.fail('no source');
  const webhook = (await webhooks.find(WebhookId.parse(ids.webhook))) ?? expect.fail('no webhook');
  await makeMany(COUNT, async (n) => {
    const [createdAt, name] = [Date.now(), `Branch ${n}`];
    const id = SourceId.parse(newId('source', createdAt, randomBytes));
    const configuration = { ...source.configuration, name, nameSlug: slugOf(name) };
    await sources.create({ ...source, id, configuration, createdAt, updatedAt: createdAt }, LIMIT);
  });
  await makeMany(COUNT, async (n) => {
    const createdAt = Date.now();
    const id = WebhookId.parse(newId('webhook', createdAt, randomBytes));
    await webhooks.create({ ...webhook, id, name: `Ledger ${n}`, createdAt }, LIMIT);
  });
}

const rows = (page: Page, name: string) => page.getByRole('table', { name }).locator('tbody tr');

/** Scrolls on until a list has so many rows. */
async function scrollTo(page: Page, name: string, count: number): Promise<void> {
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 100_000);
      return rows(page, name).count();
    })
    .toBeGreaterThanOrEqual(count);
}

describeConsole(
  'with 10,000 sources, webhooks and deliveries',
  (console) => {
    const made = { oldest: '', webhook: '' };
    beforeAll(async () => {
      const { api } = console;
      const receiver = await Receiver.start();
      const oldest = (await api.post('/sources', { component_code: emitter(), name: 'Oldest' })).body.data;
      const query = { url: receiver.url, name: 'Oldest ledger' };
      const webhook = (await api.post('/webhooks', undefined, { query })).body.data;
      const subscription = { emitter_id: oldest.id, listener_id: webhook.id };
      await api.post('/subscriptions', undefined, { query: subscription });
      Object.assign(made, { oldest: oldest.id, webhook: webhook.id });
      // On a slow machine it lags behind so many runs, and refuses others for a while.
      const runOldest = (event: object) =>
        until('a run is accepted', async () => {
          const { status } = await api.post(`/sources/${oldest.id}/run`, event);
          return status === 200;
        });
      await makeMany(COUNT / EVENTS_PER_RUN, (run) => {
        const emits = Array.from({ length: EVENTS_PER_RUN }, (_, n) => [{ n: run * EVENTS_PER_RUN + n }]);
        return runOldest({ emits });
      });
      await copyMany(console, { source: oldest.id, webhook: webhook.id });
      await runOldest({ throws: 'no' });
      await until('every event is delivered', () => receiver.received.length >= COUNT, { withinMs: 300_000 });
      return () => receiver.stop();
    }, 900_000);

    test.each([
      ['Sources', 'Branch 9', 'sources', 10_001],
      ['Webhooks', 'Ledger 9', 'webhooks', 10_001],
    ])('the list of %s opens, goes on and is searched', async (name, text, path, count) => {
      const page = await console.open(`/console/${path}`);
      await page.getByText(`50 of ${count.toLocaleString('en')} ${path}`).waitFor();
      await rows(page, name).nth(3).hover();
      await scrollTo(page, name, 200);
      await keepPicture(page, `many-${path}`);
      await page.getByRole('searchbox', { name: 'Search' }).fill(`${text}876`);
      await expect.poll(() => rows(page, name).count()).toBe(1);
      await rows(page, name).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: `${text}876` }).waitFor();
    });

    test('the list of deliveries opens, goes on and opens one', async () => {
      const page = await console.open(`/console/webhooks/${made.webhook}`);
      await page.getByText('50 of 1,000+ deliveries').waitFor();
      await rows(page, 'Deliveries').nth(3).hover();
      await scrollTo(page, 'Deliveries', 200);
      await keepPicture(page, 'many-deliveries');
      await rows(page, 'Deliveries').nth(180).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: / → Oldest ledger$/ }).waitFor();
      await page.getByRole('link', { name: 'Oldest', exact: true }).waitFor();
    });

    test('the overview counts all, and finds the one that failed', async () => {
      const page = await console.open('/console');
      await page.getByRole('link', { name: '10,001 Sources' }).waitFor();
      const problems = page.getByRole('region', { name: 'Needs attention' });
      await problems.getByRole('link', { name: 'Oldest', exact: true }).waitFor();
      await loaded(page);
      await keepPicture(page, 'many-overview');
    });

    test('choosers offer all, and tables name all', async () => {
      const page = await console.open('/console/subscriptions');
      await loaded(page);
      const listed = rows(page, 'Subscriptions').filter({ hasText: 'Oldest ledger' });
      await listed.getByRole('link', { name: 'Oldest', exact: true }).waitFor();
      await page.getByRole('button', { name: 'New subscription' }).click();
      await choose(page, 'Emitter', 'Branch 12');
      await choose(page, 'Listener', 'Oldest ledger');
      await page.getByRole('button', { name: 'Add subscription' }).click();
      await rows(page, 'Subscriptions').filter({ hasText: 'Branch 12' }).waitFor();
      await keepPicture(page, 'many-subscriptions');
    });
  },
  () => ({ assembly: assemblyWith({ limits: { sources: LIMIT, webhooks: LIMIT } }) }),
);
