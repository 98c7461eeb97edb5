import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, keepPicture, loaded } from '../../support/console-browser.ts';
import { openShop, SHOP } from '../../support/a-shop.ts';
import { looksRight } from '../../support/looks-right.ts';
import { clickWhereItRests, restAt, topOf } from '../../support/pointer.ts';
import { until } from '../../support/until.ts';

const BUYERS = ['Ada', 'Grace', 'Edsger', 'Barbara', 'Donald', 'Frances', 'Tony', 'Radia'] as const;

const events = (page: Page) => page.getByRole('list', { name: 'Events' }).locator('button.event');
const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
const runs = (page: Page) =>
  page.getByRole('complementary', { name: 'Logs and errors' }).getByRole('article');
const newRows = (page: Page, text: string) => page.getByRole('button', { name: text, exact: true });

describeConsole('a live list under the pointer', (console) => {
  const [ada, grace, edsger, ...others] = BUYERS;
  const names = others.values();
  let made: Awaited<ReturnType<typeof openShop>>;
  const sell = async (): Promise<string> => {
    const { value: name = '' } = names.next();
    await made.sell(name);
    return name;
  };

  beforeAll(async () => {
    made = await openShop(console.api, [ada, grace, edsger]);
    return made.stop;
  });

  test('gathers new events while the pointer rests on one, and a click opens that one', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    // Charts above the list come later than its events.
    await loaded(page);
    const aimed = events(page).filter({ hasText: 'Order of Grace' });
    const top = await restAt(aimed);
    const name = await sell();
    await newRows(page, '1 new').first().waitFor();
    expect(await topOf(aimed)).toBe(top);
    await clickWhereItRests(page);
    await page.getByRole('figure', { name: 'Event data' }).getByText('"Grace"').waitFor();
    await looksRight(page, 'steady-events');
    await page.mouse.move(0, 0);
    await events(page).filter({ hasText: name }).waitFor();
    expect(await newRows(page, '1 new').count()).toBe(0);
  });

  test('shows the gathered ones at a press, and to a person at the keyboard', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await loaded(page);
    await restAt(events(page).nth(1));
    const first = await sell();
    await newRows(page, '1 new').first().click();
    await events(page).filter({ hasText: first }).waitFor();
    await restAt(events(page).nth(2));
    const second = await sell();
    await newRows(page, '1 new').first().waitFor();
    // The key of a click in another tab.
    await page.keyboard.press('Control');
    expect(await events(page).filter({ hasText: second }).count()).toBe(0);
    await page.keyboard.press('/');
    await page.keyboard.type(second);
    await page.getByText(/^1 of \d+ events$/).waitFor();
    await expect.poll(() => events(page).allTextContents()).toEqual([expect.stringContaining(second)]);
  });

  test('stands still for a list above it, too', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.setViewportSize({ width: 1_024, height: 1_600 });
    await loaded(page);
    const aimed = runs(page).nth(1).getByRole('link', { name: 'Run', exact: true });
    const top = await restAt(aimed);
    const address = await aimed.getAttribute('href');
    await sell();
    await expect.poll(() => newRows(page, '1 new').count()).toBe(2);
    await keepPicture(page, 'steady-waiting');
    expect(await topOf(aimed)).toBe(top);
    await clickWhereItRests(page);
    await page.waitForURL(`**${address}`);
  });

  test('gathers new deliveries, and a click opens the one on which the pointer rests', async () => {
    const page = await console.open(`/console/webhooks/${made.webhook}`);
    await loaded(page);
    const aimed = deliveries(page).nth(1).getByRole('link');
    await aimed.waitFor();
    const address = await aimed.getAttribute('href');
    const link = page.locator(`a[href="${address}"]`);
    const top = await restAt(link);
    await sell();
    await newRows(page, '1 new').waitFor();
    expect(await topOf(link)).toBe(top);
    await clickWhereItRests(page);
    await page.waitForURL(`**${address}`);
  });

  test('keeps a row that leaves the list until the pointer does', async () => {
    for (const name of ['A', 'B', 'C'])
      await console.api.post('/sources', { component_code: SHOP, name: `Steady ${name}` });
    const page = await console.open('/console/sources?state=active&q=Steady');
    const rows = page.getByRole('table', { name: 'Sources' }).locator('tbody tr');
    await rows.nth(2).waitFor();
    const aimed = rows.nth(1).getByRole('link');
    const top = await restAt(aimed);
    const id = (await rows.first().getByRole('link').getAttribute('href'))?.split('/').at(-1);
    await console.api.put(`/sources/${id}`, { active: false });
    await expect.poll(() => rows.first().getAttribute('class')).toBe('gone');
    expect(await topOf(aimed)).toBe(top);
    expect(await rows.count()).toBe(3);
    await looksRight(page, 'steady-gone');
    await page.mouse.move(0, 0);
    await expect.poll(() => rows.count()).toBe(2);
  });

  test('gathers what newly needs attention', async () => {
    const failing = async (name: string): Promise<void> => {
      const code = `export default { name: '${name}', version: '1', run() { throw new Error('no'); } };`;
      const { id } = (await console.api.post('/sources', { component_code: code, name })).body.data;
      await console.api.post(`/sources/${id}/run`, {});
      await until('the run failed', async () => {
        const list = await console.api.get('/users/me/sources', { q: id });
        return list.body.data[0].last_error_ms !== null;
      });
    };
    await failing('First');
    const page = await console.open('/console');
    await page.clock.install();
    await page.reload();
    const problems = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    const aimed = problems.filter({ hasText: 'First' }).getByRole('link');
    await loaded(page);
    const top = await restAt(aimed);
    await failing('Second');
    await page.clock.runFor(31_000);
    await newRows(page, '1 new').waitFor();
    expect(await topOf(aimed)).toBe(top);
    await keepPicture(page, 'steady-attention');
    await page.mouse.move(0, 0);
    await problems.filter({ hasText: 'Second' }).waitFor();
  });

  test('does not hold back what a dialog of one of its rows changes', async () => {
    // The rows are below the dialog, too.
    for (let n = 0; n < 15; n += 1)
      await console.api.post('/subscriptions', undefined, {
        query: { emitter_id: made.id, listener_id: made.webhook, event_name: `stream-${n}` },
      });
    const page = await console.open('/console/subscriptions');
    const rows = page.getByRole('table', { name: 'Subscriptions' }).locator('tbody tr');
    await rows.last().getByRole('button', { name: 'Remove' }).click();
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    await restAt(confirm);
    await clickWhereItRests(page);
    await expect.poll(() => rows.count()).toBe(15);
  });

  test('appends the next page of a list, which moves no row', async () => {
    for (let n = 0; n < 60; n += 1)
      await console.api.post('/webhooks', undefined, {
        query: { url: 'http://127.0.0.1:9/', name: `Many ${n}` },
      });
    const page = await console.open('/console/webhooks');
    const rows = page.getByRole('table', { name: 'Webhooks' }).locator('tbody tr');
    await expect.poll(() => rows.count()).toBe(50);
    await restAt(rows.nth(3));
    await page.mouse.wheel(0, 10_000);
    await expect.poll(() => rows.count()).toBe(61);
  });
});
