import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { emitter } from '../../support/components.ts';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { operator } from '../../support/operator.ts';
import { until } from '../../support/until.ts';
import { brokenIds } from '../../support/whole-ids.ts';

const LONG = `Orders-of-${'a-very-long-shop-'.repeat(6)}end`;
const FILTER = { customer: { address: { country: ['Switzerland', 'Liechtenstein', 'Luxembourg'] } } };

const wideTables = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.table-frame')]
    .filter((frame) => frame.scrollWidth > frame.clientWidth).map((frame) => frame.textContent)`);

describeConsole('tables on narrow screens', (console) => {
  const made = { source: '', webhook: '', delivery: '' };
  beforeAll(async () => {
    const { api } = console;
    const source = (await api.post('/sources', { component_code: emitter(), name: LONG })).body.data;
    const query = { url: `http://127.0.0.1:9/${LONG}`, name: LONG };
    const webhook = (await api.post('/webhooks', undefined, { query })).body.data;
    const all = { emitter_id: source.id, listener_id: webhook.id };
    await api.post('/subscriptions', undefined, { query: all });
    await api.post('/subscriptions', { filter: FILTER }, { query: { ...all, event_name: 'another' } });
    await api.post('/auto_subscriptions', undefined, {
      query: { event_name: 'yet.another', listener_id: webhook.id },
    });
    await api.post(`/sources/${source.id}/run`, { emits: [[{ n: 1 }, { summary: LONG }]] });
    const owner = (await api.get('/users/me')).body.data.id;
    await operator(console.cloud)('accounts add', { owner, app: 'github', field: ['token=x'], name: LONG });
    const run = operator(console.cloud);
    await run('accounts add', { owner, app: 'shop-of-the-north', field: ['token=x'], name: 'Work' });
    Object.assign(made, { source: source.id, webhook: webhook.id });
    made.delivery = await until('the delivery is listed', async () => {
      const [delivery]: { id: string }[] = (await api.get(`/webhooks/${webhook.id}/deliveries`)).body.data;
      return delivery?.id;
    });
  });

  test.each([
    ['deliveries', () => `/console/webhooks/${made.webhook}`, ['Event', 'Next attempt', 'Created']],
    [
      'attempts',
      () => `/console/webhooks/${made.webhook}/deliveries/${made.delivery}`,
      ['Attempt', 'Began', 'Outcome', 'Response'],
    ],
    ['accounts', () => '/console/accounts', ['Name', 'App', 'Status', 'Fields', 'Sources', 'Connected']],
    ['subscriptions', () => '/console/subscriptions', ['Emitter', 'Stream', 'Listener', 'Filter']],
    ['listeners', () => `/console/sources/${made.source}/listeners`, ['Listener', 'Filter', 'From']],
    ['sources', () => '/console/sources', ['Name', 'State', 'Last event', 'Id']],
    ['webhooks', () => '/console/webhooks', ['Webhook', 'Health', 'Last attempt', 'Last success']],
    ['components', () => '/console/components', ['Name', 'Key', 'Version', 'Saved']],
  ])('each row of %s shows every column, whole, in lines', async (name, path, columns) => {
    const page = await console.open(path(), { width: 390 });
    await loaded(page);
    await page.locator('tbody tr').first().waitFor();
    for (const column of columns)
      expect(await page.locator(`tbody [data-name="${column}"]`).first().isVisible(), column).toBe(true);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.table-frame, .graph, .table-frame :is(th, td, .entry, .sub)')]
        .filter((part) => part.scrollWidth > part.clientWidth && getComputedStyle(part).display !== 'inline' && part.clientWidth > 0)
        .map((part) => part.outerHTML.slice(0, 200))`),
    ).toEqual([]);
    await looksRight(page, `narrow-${name}`);
  });

  test.each([
    ['accounts', () => '/console/accounts?q=Work'],
    ['sources', () => '/console/sources'],
    ['subscriptions', () => '/console/subscriptions'],
    ['listeners', () => `/console/sources/${made.source}/listeners`],
    ['deliveries', () => `/console/webhooks/${made.webhook}`],
  ])('the table of %s fits at every width, with whole ids and times', async (_, path) => {
    const page = await console.open(path());
    await loaded(page);
    await page.locator('tbody tr').first().waitFor();
    for (let width = 1_440; width >= 390; width -= 35) {
      await page.setViewportSize({ width, height: 900 });
      const broken = async () => [...(await brokenIds(page)), ...(await wideTables(page))];
      await expect.poll(broken, { message: `${width} pixels` }).toEqual([]);
    }
  });
});
