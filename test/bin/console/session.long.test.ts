import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { SECTIONS } from '../../../functions/console/app/finder/sections.ts';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { ECHO } from '../../support/scene.ts';
import { TEST_KEY } from '../../support/service.ts';

const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
const keyOf = (page: Page) => page.evaluate(`sessionStorage.getItem('tributary.key')`);

describeConsole('the session', (console) => {
  test('asks for the key once, says why it refuses one, and stays at the address', async () => {
    const page = await console.open('/console/sources?state=failed', { isSignedOut: true });
    await page.getByRole('textbox', { name: 'API key' }).fill('wrong-key');
    expect(await page.title()).toBe('Sign in · Tributary');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const refused = await console.api.as('wrong-key').get('/users/me');
    await page.getByRole('alert').getByText(refused.body.error).waitFor();
    await looksRight(page, 'sign-in-refused');

    await page.getByRole('textbox', { name: 'API key' }).fill(TEST_KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    expect(new URL(page.url()).search).toBe('?state=failed');
    expect(await page.getByRole('combobox', { name: 'State' }).inputValue()).toBe('failed');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
  });

  test('takes the key of #key=, also a malformed one, checks it and removes it from the address', async () => {
    const page = await console.open(`/console/sources#key=${TEST_KEY}`, { isSignedOut: true });
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    expect(page.url()).toBe(`${console.cloud.origin}/console/sources`);
    expect(await keyOf(page)).toBe(TEST_KEY);
    expect(await page.context().cookies()).toEqual([]);

    const open = await console.open('/console/webhooks', { isSignedOut: true });
    await open.getByRole('textbox', { name: 'API key' }).waitFor();
    await open.goto(`${console.cloud.origin}/console/webhooks#key=${TEST_KEY}`);
    await open.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(open.url()).toBe(`${console.cloud.origin}/console/webhooks`);

    const refused = await console.open('/console#key=%zz-no-such-key', { isSignedOut: true });
    await refused.getByRole('alert').waitFor();
    expect(await headingOf(refused)).toBe('Sign in');
    expect(refused.url()).toBe(`${console.cloud.origin}/console`);
    expect(await keyOf(refused)).toBeNull();
  });

  test('asks before the key of an address replaces the key of the tab', async () => {
    const page = await console.open('/console/sources');
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.headers()['authorization'] ?? ''));
    const offer = async () => {
      await page.evaluate(`location.hash = '#key=another-key'`);
      await page.getByRole('heading', { level: 1, name: 'Change the API key?' }).waitFor();
    };
    await offer();
    await looksRight(page, 'change-key');
    expect((await page.locator('.card').boundingBox())?.width).toBeLessThan(400);
    expect(page.url()).toBe(`${console.cloud.origin}/console/sources`);
    expect(await keyOf(page)).toBe(TEST_KEY);
    // The key goes to the button once it has the focus.
    await page.locator('button:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    expect(requests.filter((authorization) => authorization.includes('another-key'))).toEqual([]);
    expect(await keyOf(page)).toBe(TEST_KEY);

    // The same for a page that loads, and no question for the key that the tab has.
    await page.goto(`${console.cloud.origin}/console/webhooks`);
    await page.goto(`${console.cloud.origin}/console/sources#key=another-key`);
    await page.reload();
    await page.goto(`${console.cloud.origin}/console/webhooks#key=${TEST_KEY}`);
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();

    await offer();
    await page.getByRole('button', { name: 'Use the key of the address' }).click();
    await page.getByRole('alert').waitFor();
    expect(await headingOf(page)).toBe('Sign in');
    expect(await keyOf(page)).toBeNull();
  });

  test('returns to the form when the API refuses the key later, and keeps the address', async () => {
    const page = await console.open('/console/sources?q=orders');
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    await page.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, json: { error: 'This API key is not valid.', code: 'unauthenticated' } }),
    );
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    await page.getByRole('alert').getByText('This API key is not valid.').waitFor();
    expect(page.url()).toBe(`${console.cloud.origin}/console/sources?q=orders`);
    expect(await keyOf(page)).toBeNull();
  });

  test('sends the key in the header only', async () => {
    const page = await console.open('/console');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sources' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    await loaded(page);
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter((address) => address.includes(TEST_KEY))).toEqual([]);
    expect(addresses.filter((address) => !address.startsWith(console.cloud.origin))).toEqual([]);
  });
});

describeConsole('the frame', (console) => {
  test('has a page for no page, and the links of every section', async () => {
    const page = await console.open('/console/no-such-page');
    expect(await headingOf(page)).toBe('Not found');
    expect(await page.title()).toBe('Not found · Tributary');
    await page.goto(`${console.cloud.origin}/console/sources/%zz`);
    expect(await headingOf(page)).toBe('Not found');
    await page.getByRole('main').getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();

    const main = page.getByRole('navigation', { name: 'Main' });
    await expect.poll(() => main.getByRole('link').allInnerTexts()).toEqual(SECTIONS.map(([, name]) => name));
    for (const [, name] of SECTIONS) {
      await main.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(await page.title()).toBe(`${name} · Tributary`);
      await expect.poll(() => main.locator('[aria-current="page"]').allTextContents()).toEqual([name]);
      await expect.poll(() => page.locator('h1').count()).toBe(1);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: SECTIONS.at(-2)?.[1] ?? '' }).waitFor();
  });

  test('shows the current section in its row on a phone', async () => {
    const page = await console.open('/console', { width: 390 });
    for (const [path, name] of SECTIONS) {
      await page.goto(console.cloud.origin + path);
      await page.getByRole('heading', { level: 1, name }).waitFor();
      const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
      const isInside = async () => link.boundingBox().then((box) => box && box.x >= 0 && box.x + box.width <= 390);
      await expect.poll(isInside, { message: name }).toBe(true);
    }
  });

  test('goes to the search with /', async () => {
    await console.api.post('/sources', { component_code: ECHO, name: 'shop' });
    const page = await console.open('/console');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('/');
    await page
      .locator('input:focus')
      .and(page.getByRole('searchbox', { name: 'Search' }))
      .waitFor();
    await page.keyboard.type('shop');
    await page.waitForURL('**/console/sources?q=shop');
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('shop');
  });

  test('paints first before the API has responded to anything', async () => {
    const page = await console.open('/console/nothing');
    await page.route('**/v1/**', () => new Promise<never>(() => undefined));
    await page.goto(`${console.cloud.origin}/console`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const paints = () => page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`);
    await expect.poll(paints).toBe(1);
  });

  test('asks for nothing while its tab is hidden', async () => {
    const page = await console.open('/console/no-such-page');
    await page.clock.install();
    await page.goto(`${console.cloud.origin}/console/sources`);
    await loaded(page);
    const show = (state: 'visible' | 'hidden') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      `);
    await show('hidden');
    let requests = 0;
    page.on('request', () => (requests += 1));
    await page.clock.runFor(60_000);
    expect(requests).toBe(0);
    await show('visible');
    await page.clock.runFor(10_000);
    await expect.poll(() => requests).toBeGreaterThan(0);
  });
});
