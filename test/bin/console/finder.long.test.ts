import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { emitter } from '../../support/components.ts';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const MANY = 358;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

/** Finds by the keyboard alone. */
async function find(page: Page, text: string, option: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Find', exact: true });
  await box.and(page.locator(':focus')).waitFor();
  await page.keyboard.type(text);
  await page.getByRole('option', { name: option }).waitFor();
}

describeConsole('finding and choosing', (console) => {
  const made = { source: '', webhook: '', component: '', event: '', logs: '', delivery: '' };
  beforeAll(async () => {
    const receiver = await Receiver.start();
    const { api } = console;
    const first = (await api.post('/sources', { component_code: emitter(), name: 'Orders' })).body.data;
    for (let n = 0; n < MANY; n += 1)
      await api.post('/sources', { component_id: first.component_id, name: `Shop ${n}` });
    const query = { url: receiver.url, name: 'Billing' };
    const webhook = (await api.post('/webhooks', undefined, { query })).body.data;
    await api.post('/subscriptions', undefined, {
      query: { emitter_id: first.id, listener_id: webhook.id },
    });
    await api.post(`/sources/${first.id}/run`, { emits: [[{ n: 1 }, { summary: 'The first order' }]] });
    Object.assign(made, { source: first.id, webhook: webhook.id, component: first.component_id });
    await until('the delivery is listed', async () => {
      const [event] = (await api.get(`/sources/${first.id}/event_summaries`)).body.data;
      const [delivery] = (await api.get(`/webhooks/${webhook.id}/deliveries`)).body.data;
      Object.assign(made, { event: event?.id, delivery: delivery?.id });
      return delivery !== undefined;
    });
    return () => receiver.stop();
  });

  test('Ctrl-K finds sources, webhooks and components from anywhere, by name and by id', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    await find(page, 'shop 357', 'Shop 357');
    await page.keyboard.press('Enter');
    await heading(page, 'Shop 357');
    await find(page, 'bill', 'Billing');
    await looksRight(page, 'finder');
    await page.keyboard.press('Enter');
    await heading(page, 'Billing');
    await find(page, made.component, /^Emitter/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/components/${made.component}`);
    await find(page, 'shop', 'Shop 357');
    await page.getByText('350 more: type more of the name.').waitFor();
    await looksRight(page, 'finder-many');
    const active = async () =>
      page.locator(
        `[id="${await page.getByRole('combobox', { name: 'Find', exact: true }).getAttribute('aria-activedescendant')}"]`,
      );
    const first = await (await active()).textContent();
    await page.keyboard.press('ArrowDown');
    expect(await (await active()).textContent()).not.toBe(first);
    await page.keyboard.press('ArrowUp');
    expect(await (await active()).textContent()).toBe(first);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Find' }).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe(`/console/components/${made.component}`);
  });

  test('Ctrl-K right after a choice opens the finder again, before the next frame', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    await find(page, 'shop 357', 'Shop 357');
    // Keys between two frames.
    await page.evaluate(`(async () => {
      const press = (init) =>
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }));
      press({ key: 'Enter' });
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
      press({ key: 'k', ctrlKey: true });
    })()`);
    await heading(page, 'Shop 357');
    await page
      .locator(':focus')
      .and(page.getByRole('combobox', { name: 'Find', exact: true }))
      .waitFor();
  });

  test('a page with unsaved changes asks before the finder leaves it', async () => {
    const page = await console.open(`/console/webhooks/${made.webhook}/settings`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Changed');
    await find(page, 'shop 357', 'Shop 357');
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(new URL(page.url()).pathname).toBe(`/console/webhooks/${made.webhook}/settings`);
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Changed');
  });

  test('the whole id of an event or of a delivery leads to it', async () => {
    const page = await console.open('/console/components');
    await loaded(page);
    await find(page, made.event, /The first order/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/console/sources/${made.source}?event=${made.event}`);
    await page.getByRole('button', { name: 'The first order', expanded: true }).waitFor();
    await find(page, made.delivery, new RegExp(made.delivery));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: / → / }).waitFor();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.keyboard.type('1795798332005-1');
    await page.getByText('No stream has this event among its last 100.').waitFor();
    await looksRight(page, 'finder-none');
  });

  test('a chooser of hundreds is searched, by keyboard alone, and keeps its choice without another', async () => {
    const page = await console.open(`/console/subscriptions`);
    await page.getByRole('button', { name: 'New subscription', exact: true }).click();
    const box = page.getByRole('combobox', { name: 'Emitter', exact: true });
    await box.click();
    await page.getByText('more than these 50').waitFor();
    await looksRight(page, 'chooser');
    await page.keyboard.type('shop 3');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const third = await page.getByRole('option').nth(2).textContent();
    await page.keyboard.press('Enter');
    await expect.poll(() => box.inputValue()).toBe(third);
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    // A text that chooses nothing leaves the choice.
    await page.keyboard.press('Control+a');
    await page.keyboard.type('no such thing');
    await page.getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Escape');
    expect(await box.inputValue()).toBe(third);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('orders');
    await page.keyboard.press('Tab');
    expect(await box.inputValue()).toBe('Orders');
  });

  test('a prop with hundreds of options is searched', async () => {
    const options = Array.from({ length: 300 }, (_, n) => ({ label: `City ${n}`, value: n }));
    const code = `export default { key: 'cities', name: 'Cities', version: '1', props: { city: { type: 'integer', label: 'City', options: ${JSON.stringify(options)} } }, run() {} };`;
    await console.api.post('/components', { component_code: code });
    const page = await console.open('/console/sources/new?key=cities');
    await choose(page, 'City', 'City 217');
    await looksRight(page, 'prop-searched');
    await page.getByRole('button', { name: 'Create source' }).click();
    await heading(page, 'cities');
    const { body } = await console.api.get('/users/me/sources', { q: 'cities' });
    expect(body.data[0].configured_props).toMatchObject({ city: 217 });
  });

  test('a list goes on when it is scrolled to its end', async () => {
    const page = await console.open('/console/sources');
    await page.getByText(/^50 of 36\d sources$/).waitFor();
    await until('all sources are listed', async () => {
      await page.keyboard.press('End');
      return (await page.getByText(/^36\d sources$/).count()) === 1;
    });
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(MANY);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });

  test('chosen sources are disabled and enabled together', async () => {
    const page = await console.open('/console/sources');
    await page.getByText(/^50 of 36\d sources$/).waitFor();
    await page.getByRole('searchbox', { name: 'Search' }).fill('Shop 35');
    await page.getByText('9 sources').waitFor();
    for (const name of ['Shop 350', 'Shop 351'])
      await page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).check();
    await looksRight(page, 'sources-chosen');
    await page.getByRole('button', { name: 'Disable 2 chosen' }).click();
    await page.getByRole('status').getByText('2 sources are disabled.').waitFor();
    const isActive = async (name: string) =>
      (await console.api.get('/users/me/sources', { q: name })).body.data[0].active;
    expect([await isActive('Shop 350'), await isActive('Shop 351'), await isActive('Shop 352')]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Choose all' }).check();
    await page.getByRole('button', { name: 'Enable 9 chosen' }).click();
    await page.getByRole('status').getByText('9 sources are enabled.').waitFor();
    expect(await isActive('Shop 350')).toBe(true);
  });
});
