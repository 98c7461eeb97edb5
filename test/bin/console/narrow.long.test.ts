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

/** The columns of the first row that are shown. */
const shownColumns = (page: Page): Promise<(string | null)[]> =>
  page
    .locator('tbody tr')
    .first()
    .locator('[data-name]')
    .filter({ visible: true })
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-name')));

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
    [
      'deliveries',
      () => `/console/webhooks/${made.webhook}`,
      ['Event', 'Status', 'Last attempt', 'Attempts', 'Next attempt', 'Created'],
    ],
    // Their rows have no headings.
    ['attempts', () => `/console/webhooks/${made.webhook}/deliveries/${made.delivery}`, []],
    [
      'accounts',
      () => '/console/accounts',
      ['Name', 'App', 'Status', 'Fields', 'Sources', 'Connected', 'Expires', 'Actions'],
    ],
    ['subscriptions', () => '/console/subscriptions', ['Emitter', 'Stream', 'Listener', 'Filter', 'Actions']],
    [
      'listeners',
      () => `/console/sources/${made.source}/listeners`,
      ['Listener', 'Stream', 'Filter', 'From', 'Actions'],
    ],
    ['sources', () => '/console/sources', ['Name', 'State', 'Trigger', 'Last event', 'Last error', 'Id']],
    ['webhooks', () => '/console/webhooks', ['Webhook', 'Health', 'Last attempt', 'Last success', 'Held']],
    ['components', () => '/console/components', ['Name', 'Key', 'Version', 'Saved', 'Actions']],
  ])('each row of %s shows every column, whole, in lines', async (name, path, columns) => {
    const page = await console.open(path(), { width: 390 });
    await loaded(page);
    await page.locator('tbody tr').first().waitFor();
    expect(await shownColumns(page)).toEqual(columns);
    expect(
      await page.evaluate(`[...document.querySelectorAll('.table-frame, .graph, .table-frame :is(th, td, .entry, .sub)')]
        .filter((part) => part.scrollWidth > part.clientWidth && getComputedStyle(part).display !== 'inline' && part.clientWidth > 0)
        .map((part) => part.outerHTML.slice(0, 200))`),
    ).toEqual([]);
    await looksRight(page, `narrow-${name}`);
  });

  test.each([
    ['sources', () => '/console/sources', ['Name', 'State', 'Last 24 h', 'Last event', 'Id']],
    ['webhooks', () => '/console/webhooks', ['Webhook', 'Health', 'Last 24 h', 'Last attempt', 'Held']],
    ['components', () => '/console/components', ['Name', 'Key', 'Version', 'Saved', 'Actions']],
  ])('the table of %s has all columns that fit beside the navigation at 1024 pixels', async (_, path, columns) => {
    const page = await console.open(path(), { width: 1_024 });
    await loaded(page);
    await page.locator('tbody tr').first().waitFor();
    expect(await shownColumns(page)).toEqual(columns);
    expect(await wideTables(page)).toEqual([]);
  });

  test('a row of an attempt says on a narrow screen when it was and how it ended', async () => {
    const page = await console.open(`/console/webhooks/${made.webhook}/deliveries/${made.delivery}`, { width: 390 });
    await loaded(page);
    const attempt = page.locator('tr.attempt').first();
    await attempt.getByRole('button', { name: /^Attempt \d+$/ }).waitFor();
    expect(Date.parse((await attempt.locator('time').getAttribute('datetime')) ?? '')).toBeGreaterThan(0);
    await attempt.getByText('unreachable', { exact: true }).waitFor();
    await attempt.getByText(/^[\d.]+ m?s$/).waitFor();
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
