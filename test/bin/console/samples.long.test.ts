import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { ECHO, PASS } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const KEYS = `Object.keys(localStorage).filter((key) => key.startsWith('tributary.sample.'))`;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

describeConsole('samples', (console) => {
  const made = { pass: '', echo: '' };
  const count = async (id: string) => (await console.api.get(`/sources/${id}/event_summaries`)).body.data.length;
  beforeAll(async () => {
    const { api } = console;
    made.pass = (await api.post('/sources', { component_code: PASS, name: 'Pass' })).body.data.id;
    const echo = (await api.post('/sources', { component_code: ECHO, name: 'Echo' })).body.data;
    made.echo = echo.id;
    await api.post(`/sources/${made.pass}/run`, { status: 'paid', big: 'x'.repeat(2_000) });
    await fetch(echo.endpoint_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"n":7}',
    });
    for (const id of [made.pass, made.echo]) await until('the event', async () => (await count(id)) === 1);
  });

  async function save(page: Page, name: string): Promise<void> {
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
    await button(page, 'Save as sample…').click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await looksRight(page, 'save-sample');
    await button(page, 'Save').click();
    await page.getByRole('status').getByText(`The sample ${name} was saved.`).waitFor();
  }

  test('an event is saved whole under a name, and sent to its source again; sign-out removes it', async () => {
    const page = await console.open(`/console/sources/${made.pass}`);
    await loaded(page);
    await save(page, 'paid order');
    await button(page, 'Send an event…').click();
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('paid order');
    const event = page.getByRole('textbox', { name: 'Event' });
    expect(JSON.parse(await event.inputValue())).toEqual({ status: 'paid', big: 'x'.repeat(2_000) });
    await looksRight(page, 'choose-sample');
    await button(page, 'Send').click();
    await expect.poll(() => count(made.pass)).toBe(2);

    await page.goto(`${console.cloud.origin}/console/webhooks/new`);
    await choose(page, 'Subscribe to', 'Pass');
    await page.getByRole('textbox', { name: 'Filter', exact: true }).fill('{"status":["paid"]}');
    await page.getByText('The filter accepts 1 of your 1 samples: paid order.').waitFor();

    await page.goto(`${console.cloud.origin}/console/sources/${made.pass}`);
    await button(page, 'Send an event…').click();
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('paid order');
    await button(page, 'Delete sample').click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Sample' }).count()).toBe(0);
    await button(page, 'Cancel').click();
    await save(page, 'again');
    expect(await page.evaluate(KEYS)).toHaveLength(1);
    await page.goto(`${console.cloud.origin}/console/me`);
    await button(page, 'Sign out').click();
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    expect(await page.evaluate(KEYS)).toEqual([]);
  });

  test('a sample fills in the body of a request', async () => {
    const page = await console.open(`/console/sources/${made.echo}`);
    await loaded(page);
    await save(page, 'seven');
    await button(page, 'Send a request').click();
    await page.getByRole('combobox', { name: 'Sample' }).selectOption('seven');
    expect(JSON.parse(await page.getByRole('textbox', { name: 'Body' }).inputValue())).toEqual({ n: 7 });
    await button(page, 'Send').click();
    await expect.poll(() => count(made.echo)).toBe(2);
  });
});
