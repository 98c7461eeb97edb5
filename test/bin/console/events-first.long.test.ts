import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { emitter } from '../../support/components.ts';
import { describeConsole, keepPicture, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { operator } from '../../support/operator.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

interface Registered {
  id: string;
  ingest_url: string;
  credential: string;
}

const SHOP = `export default {
  name: 'Shop', version: '1.0.0', props: { http: '$.interface.http', timer: { type: '$.interface.timer', default: { intervalSeconds: 900 } } },
  run(event) {
    const { orders = [] } = event.body ?? {};
    for (const order of orders) { console.log('order', order.id); this.$emit(order, { summary: order.type + ' ' + order.id }); }
    if (orders.length > 0) throw new Error('The last order is missing');
  },
};
`;
const ORDERS = Array.from({ length: 100 }, (_, n) => ({
  type: n % 6 === 0 ? 'order.shipped' : 'order.created',
  id: n,
}));
const SHIPPED = ORDERS.filter(({ type }) => type === 'order.shipped').length;
const FILTER = '{"type": ["order.shipped"]}';

const entries = (page: Page) => page.getByRole('list', { name: 'Events' }).locator('button.event');
const filter = (page: Page) => page.getByRole('textbox', { name: 'Filter' });
const chip = (page: Page) => page.getByRole('button', { name: 'remove the filter' });
const bottomOf = (part: { boundingBox(): Promise<{ y: number; height: number } | null> }) =>
  part.boundingBox().then((box) => (box ? box.y + box.height : expect.fail('nothing is drawn')));

describeConsole('a page of events begins with its events', (console) => {
  const made = { shop: '', endpoint: '', workflow: '' };
  beforeAll(async () => {
    const { api } = console;
    const shop = (await api.post('/sources', { component_code: SHOP, name: 'orders-of-the-shop' })).body.data;
    await api.post(`/sources/${shop.id}/run`, { orders: ORDERS });
    const owner: string = (await api.get('/users/me')).body.data.id;
    const workflow: Registered = await operator(console.cloud)('workflows register', {
      owner,
      name: 'Fulfilment',
      target: 'http://127.0.0.1:9',
    });
    const headers = { authorization: `Bearer ${workflow.credential}`, 'content-type': 'application/json' };
    await fetch(`${workflow.ingest_url}/emits`, { method: 'POST', headers, body: '{"shipped":1}' });
    Object.assign(made, { shop: shop.id, endpoint: shop.endpoint_url, workflow: workflow.id });
    await until('the events are stored', async () => {
      const { body } = await api.get(`/sources/${shop.id}/event_summaries`, { limit: '100' });
      return body.data.length === ORDERS.length;
    });
  });

  test.each([
    [1_440, 900],
    [390, 844],
  ])('the first event of a source and of a workflow is on the first screen of %i × %i', async (width, height) => {
    for (const [path, text] of [
      [`sources/${made.shop}`, 'order.created 99'],
      [`workflows/${made.workflow}`, 'shipped: 1'],
    ] as const) {
      const page = await console.open(`/console/${path}`, { width });
      await page.setViewportSize({ width, height });
      await loaded(page);
      await page.getByText(text).first().waitFor();
      // Logs and errors come beside the list, never above it.
      if (path.startsWith('sources')) await page.getByText('The last order is missing').first().waitFor();
      expect(await bottomOf(entries(page).first()), path).toBeLessThanOrEqual(height * 0.75);
    }
  });

  test('the first delivery of a webhook is on the first screen of a phone, with its facts and filters out of the way', async () => {
    const receiver = await Receiver.start();
    const { api } = console;
    const { id } = (await api.post('/webhooks', { url: receiver.url, name: 'ledger' })).body.data;
    await api.post(`/webhooks/${id}/test`, {});
    const page = await console.open(`/console/webhooks/${id}`, { width: 390 });
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr').first();
    await row.waitFor();
    expect(await bottomOf(row)).toBeLessThanOrEqual(844);
    await page.getByText('Last success').waitFor();
    expect(await page.getByRole('combobox', { name: 'Status' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    await page.getByText('No delivery is failed.').waitFor();
    await looksRight(page, 'webhook-phone');
    await receiver.stop();
  });

  test('a workflow without errors has no line that emits an event below its errors', async () => {
    const page = await console.open(`/console/workflows/${made.workflow}?stream=%24errors`);
    await page.getByText('No errors.').waitFor();
    expect(await page.getByText('curl -X POST').count()).toBe(0);
    await page.getByRole('link', { name: 'Show the events of the default stream' }).click();
    await page.getByText('shipped: 1').first().waitFor();
  });

  test('before the first event there are no charts and no filters, but the line that makes one', async () => {
    const { body } = await console.api.post('/sources', { component_code: SHOP, name: 'quiet' });
    for (const width of [1_440, 390]) {
      const page = await console.open(`/console/sources/${body.data.id}`, { width });
      await page.getByText('No events yet.').waitFor();
      await expect.poll(() => page.locator('.filters').count()).toBe(0);
      expect(await page.locator('.plot').count()).toBe(0);
      await page.getByText(`curl -g -X POST '${body.data.endpoint_url}'`).waitFor();
    }
    const page = await console.open(`/console/sources/${body.data.id}`);
    await page.getByText('No events yet.').waitFor();
    await looksRight(page, 'source-before-first');
    // A filter in the address shows the filters, so that it can be removed.
    await page.goto(`${console.cloud.origin}/console/sources/${body.data.id}?stream=%24errors`);
    await page.getByText('No errors.').waitFor();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('default');
    await page.getByText('No events yet.').waitFor();
  });

  test('on a narrow screen the filters are behind one button, which counts those that are set', async () => {
    const page = await console.open(`/console/sources/${made.shop}`, { width: 390 });
    await entries(page).first().waitFor();
    expect(await filter(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    await filter(page).fill(FILTER);
    await expect.poll(() => entries(page).count()).toBe(SHIPPED);
    const button = page.getByRole('button', { name: 'Filters (1)' });
    expect(await button.getAttribute('aria-expanded')).toBe('true');
    await looksRight(page, 'source-filters');
    await page.setViewportSize({ width: 390, height: 844 });
    await button.click();
    await filter(page).waitFor({ state: 'detached' });
    expect(await entries(page).count()).toBe(SHIPPED);
    // Two bounds are one filter.
    const bounds = 'since=2001-01-01T00:00:00.000Z&until=2001-02-01T00:00:00.000Z';
    await page.goto(`${console.cloud.origin}/console/sources/${made.shop}?${bounds}`);
    await button.waitFor();
  });

  test('a typed filter takes effect without Enter, says how many events match, and is removed by its chip', async () => {
    const page = await console.open(`/console/sources/${made.shop}`);
    await page.getByText('100 events').waitFor();
    await filter(page).click();
    await page.keyboard.type(FILTER);
    await expect.poll(() => entries(page).count()).toBe(SHIPPED);
    await expect
      .poll(async () => (await chip(page).textContent())?.replace(/ events match.*/, ''))
      .toBe(`${SHIPPED} of 100`);
    expect(await filter(page).and(page.locator(':focus')).inputValue()).toBe(FILTER);
    const filtered = page.url();
    await chip(page).click();
    await page.getByText('100 events').waitFor();
    expect(await filter(page).inputValue()).toBe('');
    expect(new URL(page.url()).search).toBe('');
    await page.goto(filtered);
    await chip(page).waitFor();
    await looksRight(page, 'source-filtered');
  });

  test('a filter that is no pattern changes neither the list nor the position of anything', async () => {
    const page = await console.open(`/console/sources/${made.shop}`);
    await page.getByText('100 events').waitFor();
    const positions = () =>
      page.evaluate(
        `[...document.querySelectorAll('.filters .label, .filters input, .filters button, button.event')].slice(0, 20).map((part) => part.getBoundingClientRect().y)`,
      );
    const before = await positions();
    await filter(page).fill('{"type": "order.shipped"}');
    await page.getByRole('alert').getByText('filter.type must be an array of values').waitFor();
    expect(await positions()).toEqual(before);
    await expect.poll(() => entries(page).count()).toBe(100);
    await keepPicture(page, 'source-filter-problem');
    await looksRight(page, 'source-filter-no-pattern');
    // A text that is not complete is not refused while it is typed.
    await filter(page).fill('{"type": [');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The filter must be a JSON object').waitFor();
    expect(await positions()).toEqual(before);
    expect(new URL(page.url()).search).toBe('');
  });

  test('the header and the list say what starts a source and when its timer does so next', async () => {
    const plain = (await console.api.post('/sources', { component_code: emitter(), name: 'hears' })).body.data;
    const page = await console.open(`/console/sources/${made.shop}`);
    const next = (await console.api.get(`/sources/${made.shop}`)).body.data.timer.next_run_ms;
    const line = page.locator('.about').getByText('every 15 min · next');
    await line.waitFor();
    expect(await line.locator('time').getAttribute('datetime')).toBe(new Date(next).toISOString());
    await page.locator('.about').getByRole('link', { name: 'Shop', exact: true }).waitFor();
    await console.api.put(`/sources/${made.shop}`, {
      configured_props: { timer: { cron: '0 6 * * *', timezone: 'Europe/Rome' } },
    });
    await page.goto(`${console.cloud.origin}/console/sources`);
    const cell = (name: string) =>
      page
        .getByRole('table', { name: 'Sources' })
        .locator('tr')
        .filter({ hasText: name })
        .locator('[data-name="Trigger"]');
    await cell('orders-of-the-shop').getByText('daily at 06:00 Europe/Rome · next').waitFor();
    expect(await cell(plain.name).textContent()).toBe('listener');
  });
});
