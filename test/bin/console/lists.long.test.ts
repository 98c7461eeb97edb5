import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { looksRight } from '../../support/looks-right.ts';

const SHOP = `export default {
  name: 'Shop', version: '1.0.0', props: { http: '$.interface.http' },
  async run({ body }) { this.$emit(body, body.about ? { summary: body.about } : {}); },
};
`;

const entries = (page: Page) => page.getByRole('list', { name: 'Events' }).locator('button.event');
const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const ORDERS = [
  {
    about: 'Order 1 of Ada',
    status: 'open',
    total: 12345678901234567890n,
    customer: { name: 'Ada', city: 'Rome' },
  },
  {
    status: 'paid',
    total: 12,
    customer: { name: 'Grace', city: 'Oslo' },
    lines: [{ sku: 'tea' }, { sku: 'cup' }],
  },
  {
    status: 'paid',
    total: 15,
    customer: { name: 'Grace', city: 'Bern' },
    isFirst: true,
    note: null,
    text: 'x'.repeat(700),
  },
];
const textOf = (order: object): string =>
  JSON.stringify(order, (_, value) => (typeof value === 'bigint' ? Number(value) : value));

describeConsole('lists of events and deliveries', (console) => {
  const made = { id: '', endpoint: '', billing: '', down: '' };
  const receivers: Receiver[] = [];
  const webhookTo = async (receiver: Receiver, name: string): Promise<string> => {
    const query = { url: receiver.url, name };
    const { body } = await console.api.post('/webhooks', undefined, { query });
    return body.data.id;
  };
  beforeAll(async () => {
    const [up, down] = [await Receiver.start(), await Receiver.start()];
    receivers.push(up, down);
    down.respond = () => ({ status: 500, body: 'no' });
    const { body } = await console.api.post('/sources', { component_code: SHOP, name: 'Shop' });
    Object.assign(made, {
      id: body.data.id,
      endpoint: body.data.endpoint_url,
      billing: await webhookTo(up, 'Billing'),
      down: await webhookTo(down, 'Down'),
    });
    for (const listener of [made.billing, made.down])
      await console.api.post('/subscriptions', undefined, {
        query: { emitter_id: made.id, listener_id: listener },
      });
    for (const order of ORDERS)
      await fetch(made.endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: textOf(order),
      });
    await until('the deliveries are listed', async () => {
      const lists = await Promise.all(
        [made.billing, made.down].map((id) => console.api.get(`/webhooks/${id}/deliveries`)),
      );
      return lists.every(
        ({ body: { data } }) => data.length === 3 && data.every((each: { attempts: number }) => each.attempts > 0),
      );
    });
    return async () => {
      for (const receiver of receivers) await receiver.stop();
    };
  });

  test('each event is one line that differs, with its age and how many deliveries arrived', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.getByText('3 events').waitFor();
    await expect
      .poll(() => entries(page).locator('.event-text').allTextContents())
      .toEqual([
        expect.stringMatching(/^status: paid · total: 15 · isFirst: true · text: x+… · customer.name: Grace/),
        'status: paid · total: 12 · customer.name: Grace · customer.city: Oslo · lines.sku: tea · lines.sku: cup',
        'Order 1 of Ada',
      ]);
    const time = entries(page).first().locator('time');
    expect(await time.textContent()).toMatch(/^(?:now|\d+ (?:s|min) ago)$/);
    expect(await time.getAttribute('title')).toMatch(/2\d{3}.*\(\d{4}-\d\d-\d\dT[\d:.]+Z\)$/);
    await expect.poll(() => page.getByText('1 of 2 delivered').count()).toBe(3);
    await looksRight(page, 'lists-events');
  });

  test('an open event has a tree that folds, its deliveries, its changes, and the ways to send it again', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await entries(page).first().click();
    const tree = page.getByRole('figure', { name: 'Event data' });
    await tree.getByText('"city": "Bern"').waitFor();
    await page.getByRole('list', { name: 'Deliveries' }).getByRole('link', { name: 'Billing' }).waitFor();
    await page.getByRole('region', { name: 'Changes' }).getByText('customer.city').waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Changes' }).locator('li').allTextContents())
      .toEqual(expect.arrayContaining(['total12→15', 'customer.city"Oslo"→"Bern"', 'lines[0].sku"tea"']));
    await looksRight(page, 'lists-event-open');
    await tree.locator('summary').filter({ hasText: '"customer"' }).click();
    await tree.getByText('"city": "Bern"').waitFor({ state: 'detached' });
    await button(page, 'Unfold all').click();
    await tree.getByText('"city": "Bern"').waitFor();
    await button(page, 'Copy as curl').click();
    await page.getByRole('status').getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/webhook-signature: v1,\$signature/);
    await button(page, 'Send to localhost…').click();
    await page.getByRole('dialog').getByText(`tributary listen ${made.id} --forward`).waitFor();
    await looksRight(page, 'lists-localhost');
    await page.keyboard.press('Escape');
    await button(page, 'Send again, edited…').click();
    const dialog = page.getByRole('dialog', { name: 'Send again, edited' });
    await dialog.getByRole('combobox', { name: 'To' }).click();
    await dialog.getByRole('option', { name: 'Billing' }).waitFor();
    // Escape closes the list, and not the dialog around it.
    await page.keyboard.press('Escape');
    await dialog.getByRole('option').first().waitFor({ state: 'detached' });
    await choose(page, 'To', 'Billing');
    await dialog.getByRole('textbox', { name: 'Event' }).fill('{"status":"edited"}');
    await looksRight(page, 'lists-send-again');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').getByText('The test was delivered: status 200').waitFor();
    expect(receivers[0]?.received.at(-1)?.body).toBe('{"status":"edited"}');
  });

  test('the search is applied while typing, and stands in the address with the times', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.getByText('3 events').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('grace oslo');
    await page.getByText('1 of 3 events').waitFor();
    await expect.poll(() => entries(page).count()).toBe(1);
    await page.waitForURL(/\?q=grace\+oslo$/);
    // The event before it is not among the found ones.
    await entries(page).first().click();
    await page.getByRole('region', { name: 'Changes' }).getByText('"Rome"').waitFor();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last hour');
    await page.waitForURL(/time=1h/);
    await expect.poll(() => entries(page).count()).toBe(1);
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Between…');
    await page.getByLabel('Since').fill('2001-01-01T00:00');
    await page.getByLabel('Until').fill('2001-02-01T00:00');
    await page.getByText('No listed event matches.').waitFor();
    await page.reload();
    await page.getByText('No listed event matches.').waitFor();
    await looksRight(page, 'lists-events-between');
  });

  test('each delivery is one line that differs; every filter of the API stands in the address', async () => {
    const page = await console.open(`/console/webhooks/${made.down}`);
    await page.getByText('3 deliveries').waitFor();
    await rows(page).getByText('Order 1 of Ada').waitFor();
    await rows(page).getByText('status: paid · total: 12').waitFor();
    await looksRight(page, 'lists-deliveries');
    await page.getByRole('searchbox', { name: 'Search' }).fill('oslo');
    await page.getByText('1 of 3 deliveries').waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('');
    await page.getByText('3 deliveries').waitFor();
    const [event] = (await console.api.get(`/sources/${made.id}/event_summaries`)).body.data;
    const apply = async (name: string, value: string, shown: string) => {
      await page.getByText(shown).waitFor();
      await page.waitForURL((url) => url.searchParams.get(name) === value);
    };
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('rejected');
    await apply('outcome', 'rejected', '3 deliveries');
    await choose(page, 'Emitter', 'Shop');
    await apply('emitter_id', made.id, '3 deliveries');
    await page.getByRole('textbox', { name: 'Stream' }).fill('default');
    await page.keyboard.press('Enter');
    await apply('event_name', 'default', '3 deliveries');
    await page.getByRole('textbox', { name: 'Event id' }).fill(event.id);
    await page.keyboard.press('Enter');
    await apply('event_id', event.id, '1 delivery');
    await page.getByRole('combobox', { name: 'Time' }).selectOption('Last 15 minutes');
    await apply('time', '15m', '1 delivery');
    await page.reload();
    await page.getByText('1 delivery', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('delivered');
    await page.getByText('No delivery matches.').waitFor();
    await looksRight(page, 'lists-deliveries-none');
    await page.getByRole('link', { name: 'Show all deliveries' }).click();
    await page.getByText('3 deliveries').waitFor();
  });

  test('chosen deliveries are sent again together', async () => {
    const page = await console.open(`/console/webhooks/${made.billing}`);
    await rows(page).getByText('Order 1 of Ada').waitFor();
    const sent = receivers[0]?.received.length ?? 0;
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page
      .getByRole('checkbox', { name: /^Choose \d+-\d+$/ })
      .first()
      .uncheck();
    await looksRight(page, 'lists-deliveries-chosen');
    await page.getByRole('button', { name: /^Redeliver \d chosen$/ }).click();
    await page.getByRole('status').getByText('2 deliveries are sent again.').waitFor();
    await expect.poll(() => receivers[0]?.received.length).toBe(sent + 2);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
  });

  test('a delivery offers its event as a tree and sends it again', async () => {
    const page = await console.open(`/console/webhooks/${made.down}`);
    await rows(page).getByRole('link').first().click();
    await page.getByRole('heading', { level: 1, name: / → Down$/ }).waitFor();
    await loaded(page);
    await page.getByLabel('Event', { exact: true }).getByText('"city": "Bern"').waitFor();
    await looksRight(page, 'lists-delivery');
    await expect
      .poll(async () => {
        await button(page, 'Copy as curl').click();
        return page.evaluate('navigator.clipboard.readText()');
      })
      .toContain(receivers[1]?.url);
  });
});
