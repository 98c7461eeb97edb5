import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, keepPicture, loaded } from '../../support/console-browser.ts';
import { openShop } from '../../support/a-shop.ts';
import { boxOf, clickWhereItRests, restAt, topOf } from '../../support/pointer.ts';

const events = (page: Page) => page.getByRole('list', { name: 'Events' }).locator('button.event');
const deliveries = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
const sources = (page: Page) => page.getByRole('table', { name: 'Sources' }).locator('tbody tr');

/** A page scrolls by whole pixels. */
const staysAt = async (part: Locator, top: number): Promise<void> => {
  expect(Math.abs((await topOf(part)) - top)).toBeLessThanOrEqual(1);
};

async function middleOf(part: Locator): Promise<{ x: number; y: number }> {
  await part.scrollIntoViewIfNeeded();
  const { x, y, width, height } = await boxOf(part);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Makes the reads of a list fail, until the returned function is called. */
async function failReads(page: Page, address: string): Promise<() => Promise<void>> {
  await page.route(address, (route) =>
    route.fulfill({ status: 400, json: { error: 'The list cannot be read.', code: 'invalid' } }),
  );
  return () => page.unroute(address);
}

describeConsole('a page around the pointer', (console) => {
  let made: Awaited<ReturnType<typeof openShop>>;
  beforeAll(async () => {
    made = await openShop(console.api, ['Ada', 'Grace', 'Edsger']);
    return made.stop;
  });

  test.each([
    ['a long page', () => `/console/webhooks/${made.webhook}`, deliveries, '**/deliveries?*'],
    ['a short page', () => '/console/sources', sources, '**/users/me/sources?*'],
  ])('an error text above a list of %s moves no row, nor does its end', async (name, path, rows, reads) => {
    const page = await console.open(path());
    await loaded(page);
    const address = await rows(page).first().getByRole('link').getAttribute('href');
    const link = page.locator(`a[href="${address}"]`);
    const top = await restAt(link);
    const alert = page.getByRole('alert').getByText('The list cannot be read.');
    const mend = await failReads(page, reads);
    await alert.waitFor();
    await staysAt(link, top);
    await keepPicture(page, `steady-error-${name}`);
    await mend();
    await alert.waitFor({ state: 'detached' });
    await staysAt(link, top);
    await failReads(page, reads);
    await alert.waitFor();
    await clickWhereItRests(page);
    await page.waitForURL(`**${address}`);
  });

  test('the problem of a filter, told when a click leaves its field, does not make the click miss', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await loaded(page);
    await page.getByRole('textbox', { name: 'Filter' }).fill('{');
    const aimed = events(page).filter({ hasText: 'Order of Grace' });
    const top = await restAt(aimed);
    await page.mouse.down();
    await page.getByRole('alert').waitFor();
    await staysAt(aimed, top);
    await page.mouse.up();
    await page.getByRole('figure', { name: 'Event data' }).getByText('"Grace"').waitFor();
  });

  test('stands still between the press of a finger and its release', async () => {
    const page = await console.open(`/console/sources/${made.id}`, { hasTouch: true });
    await loaded(page);
    const finger = await page.context().newCDPSession(page);
    const aimed = events(page).filter({ hasText: 'Order of Grace' });
    const { x, y } = await middleOf(aimed);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
    const top = await topOf(aimed);
    await made.sell('Barbara');
    // That of the events, or that of the logs.
    await page.getByRole('button', { name: '1 new', exact: true }).first().waitFor();
    await staysAt(aimed, top);
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await events(page).filter({ hasText: 'Order of Barbara' }).waitFor();
  });

  test('a tap opens the event at which it was aimed, and the list goes on', async () => {
    const page = await console.open(`/console/sources/${made.id}`, { hasTouch: true });
    await loaded(page);
    const { x, y } = await middleOf(events(page).filter({ hasText: 'Order of Ada' }));
    await page.touchscreen.tap(x, y);
    await page.getByRole('figure', { name: 'Event data' }).getByText('"Ada"').waitFor();
    await made.sell('Donald');
    await events(page).filter({ hasText: 'Order of Donald' }).waitFor();
  });
});
