import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseAction, describeConsole, loaded } from '../../support/console-browser.ts';
import { Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

const background = (page: Page): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
const LIGHT = 'rgb(245, 247, 248)';
const DARK = 'rgb(14, 17, 20)';

const styleOf = (part: Locator, name: string): Promise<string | undefined> =>
  part.evaluate(
    (element, each) => element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(each),
    name,
  );

/** The distinct heights of the rows of a page's table. */
const rowHeights = (page: Page): Promise<number[]> =>
  page.evaluate(
    `[...new Set([...document.querySelectorAll('tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height)))]`,
  );

describeConsole('a dense console', (console) => {
  let receiver: Receiver;
  const made = { source: '', endpoint: '' };
  beforeAll(async () => {
    receiver = await Receiver.start();
    const { api } = console;
    const { data: source } = (await api.post('/sources', { component_code: ECHO, name: 'Orders' })).body;
    await api.post('/sources', { component_id: source.component_id, name: 'Refunds of the shop' });
    for (const name of ['crm', 'a webhook of a long name']) {
      const { data: webhook } = (await api.post('/webhooks', { url: receiver.url, name })).body;
      await api.post('/subscriptions', { emitter_id: source.id, listener_id: webhook.id });
    }
    await api.post('/accounts', { app: 'acme', name: 'Work', fields: { api_key: 'secret-1', region: 'eu' } });
    Object.assign(made, { source: source.id, endpoint: source.endpoint_url });
  });
  afterAll(() => receiver.stop());

  test.each(['sources', 'webhooks', 'accounts', 'components'])('a row of %s has 36 pixels', async (section) => {
    const page = await console.open(`/console/${section}`);
    await page.locator('tbody tr').first().waitFor();
    await expect.poll(() => rowHeights(page)).toEqual([36]);
  });

  test('a link of a table is underlined while it is pointed at or has the focus, one in a text always', async () => {
    const page = await console.open('/console/sources');
    const link = page.getByRole('link', { name: 'Orders', exact: true });
    const line = () => styleOf(link, 'text-decoration-line');
    expect(await line()).toBe('none');
    await link.hover();
    expect(await line()).toBe('underline');
    await page.mouse.move(0, 0);
    await page.keyboard.press('Tab');
    await link.focus();
    expect(await line()).toBe('underline');
  });

  test('a menu opens by keyboard, goes round with the arrow keys, and gives the focus back', async () => {
    const page = await console.open(`/console/sources/${made.source}`);
    const button = page.getByRole('button', { name: 'More actions' });
    const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
    await button.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menu', { name: 'More actions' }).waitFor();
    const seen = [await focused()];
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End']) {
      await page.keyboard.press(key);
      seen.push(await focused());
    }
    expect(seen).toEqual(['Disable', 'Delete', 'Disable', 'Delete', 'Disable', 'Delete']);
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    await button.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    expect(await button.and(page.locator(':focus')).count()).toBe(0);
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
    await button.and(page.locator(':focus')).waitFor();
  });

  test('a header has one primary button, one other and the menu', async () => {
    const page = await console.open(`/console/sources/${made.source}`);
    await page.getByRole('button', { name: 'More actions' }).waitFor();
    const header = page.locator('.page-header > .actions > *');
    const shown = await header.evaluateAll((all) => all.filter((part) => part.checkVisibility()).length);
    expect([shown, await page.locator('.page-header .primary').count()]).toEqual([3, 1]);
  });

  test('the theme is chosen, kept for other pages, and there before the program', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    const choose = (name: string) =>
      page.getByRole('main').getByRole('group', { name: 'Theme' }).getByRole('button', { name }).click();
    expect(await background(page)).toBe(LIGHT);
    await choose('Dark');
    expect(await background(page)).toBe(DARK);
    // Without its program, the page has the colours of the choice already.
    await page.route(/\/console\/assets\/app-.*\.js$/, (route) => route.abort());
    await page.reload();
    expect(await background(page)).toBe(DARK);
    await page.unroute(/\/console\/assets\/app-.*\.js$/);
    await page.reload();
    await loaded(page);
    await choose('System');
    expect(await background(page)).toBe(LIGHT);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await background(page)).toBe(DARK);
    await choose('Light');
    expect(await background(page)).toBe(LIGHT);
    await choose('System');
  });

  test('g and a letter lead to a section, ? shows the keys, and a text box takes both as text', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await heading(page, 'Webhooks');
    await page.keyboard.press('s');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await heading(page, 'Sources');
    await page.getByRole('searchbox', { name: 'Search' }).focus();
    await page.keyboard.type('gw?');
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('gw?');
    await page.getByRole('main').focus();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Webhooks').waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'hidden' });
  });

  test('the finder begins with recent pages and actions, and shows the health of what it finds', async () => {
    const page = await console.open(`/console/sources/${made.source}`);
    await heading(page, 'Orders');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click();
    await heading(page, 'Accounts');
    await page.keyboard.press('Control+k');
    const group = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('option');
    await expect.poll(() => group('Recent').allTextContents()).toEqual(['Orders']);
    await group('Actions').getByText('New source').waitFor();
    await page.getByRole('option', { name: 'active Orders' }).waitFor();
    await page.keyboard.type('work');
    await group('Accounts').getByText('Work').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('send orders');
    await group('Actions').getByText('Send a request to Orders').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Send a request' }).waitFor();
  });

  test('an event that comes while the list is shown fades in, the others do not', async () => {
    const send = (body: string) => fetch(made.endpoint, { method: 'POST', body });
    await send('{"n":1}');
    const page = await console.open(`/console/sources/${made.source}`);
    const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(1);
    await send('{"n":2}');
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.evaluateAll((all) => all.map((row) => row.classList.contains('arrived')))).toEqual([true, false]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await styleOf(rows.first(), 'animation-name')).toBe('arrive');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await styleOf(rows.first(), 'animation-name')).toBe('none');
  });

  test('the logs of runs are lines, with the id of a run while one looks at it', async () => {
    const page = await console.open(`/console/sources/${made.source}`);
    const code = `export default { name: 'Writer', version: '1', run() { console.log('order 996'); } };`;
    const { data } = (await console.api.post('/sources', { component_code: code, name: 'Writer' })).body;
    for (const n of [1, 2]) await console.api.post(`/sources/${data.id}/run`, { n });
    await page.goto(`${console.cloud.origin}/console/sources/${data.id}`);
    const runs = page.getByRole('article');
    await expect.poll(() => runs.count()).toBe(2);
    for (const box of await runs.evaluateAll((all) => all.map((run) => run.getBoundingClientRect().height)))
      expect(box).toBeLessThanOrEqual(36);
    const id = runs.first().locator('.run-id');
    await expect.poll(() => id.isVisible()).toBe(false);
    await runs.first().hover();
    await expect.poll(() => id.isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await runs
      .first()
      .getByRole('link', { name: /^Run at/ })
      .focus();
    await expect.poll(() => id.isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    await heading(page, 'Run');
  });

  test('the names of the webhooks of a run begin at one line below each other', async () => {
    await fetch(made.endpoint, { method: 'POST', body: '{"n":3}' });
    const page = await console.open(`/console/sources/${made.source}`);
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
    const links = page.locator('.event-deliveries li > a:first-of-type');
    await until('both deliveries are listed', async () => (await links.count()) === 2);
    const lefts = await links.evaluateAll((all) => all.map((link) => Math.round(link.getBoundingClientRect().left)));
    expect(new Set(lefts).size).toBe(1);
  });
});
