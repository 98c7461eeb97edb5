import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { addressIn, makeContent } from '../../support/console-content.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

async function boxOf(part: Locator): Promise<Box> {
  await part.waitFor();
  const box = await part.boundingBox();
  if (!box) throw new Error('It is not shown.');
  return box;
}

/** Whether the middle of a box is beside another box. */
const isOnLineOf = (one: Box, other: Box): boolean => {
  const middle = one.y + one.height / 2;
  return middle > other.y && middle < other.y + other.height;
};

/** The tops of the lines in which the parts stand. */
const linesOf = async (parts: Locator): Promise<number[]> => [
  ...new Set(await parts.evaluateAll((all) => all.map((part) => Math.round(part.getBoundingClientRect().top)))),
];

const title = (page: Page) => page.getByRole('heading', { level: 1 });

describeConsole('headers and their actions', (console) => {
  let content: Readonly<Record<string, string>> = {};
  const open = async (pattern: string, width: number): Promise<Page> => {
    const page = await console.open(addressIn(content, pattern), { width });
    await loaded(page);
    return page;
  };
  beforeAll(async () => {
    content = await makeContent(console);
  });

  test.each(['', '/sources', '/webhooks', '/subscriptions'])(
    'the state of a live list stands beside its title on a phone: %s',
    async (section) => {
      const page = await open(`/console${section}`, 390);
      const live = await boxOf(page.locator('.page-header button.live'));
      expect(isOnLineOf(live, await boxOf(title(page)))).toBe(true);
    },
  );

  test.each([
    ['/console/sources', 'Copy id'],
    ['/console/accounts', 'Actions of Work'],
    ['/console/me', 'Actions of First key'],
  ])('the icon of a row stands beside its name on a phone, over nothing else: %s', async (path, name) => {
    const page = await open(path, 390);
    const row = page
      .locator('tbody tr')
      .filter({ has: page.getByRole('button', { name }) })
      .first();
    const icon = await boxOf(row.getByRole('button', { name }).last());
    const heading = await boxOf(row.locator('th > *').first());
    expect(isOnLineOf(icon, heading)).toBe(true);
    expect(heading.x + heading.width).toBeLessThanOrEqual(icon.x);
    for (const tick of await row.getByRole('checkbox').all())
      expect((await boxOf(tick)).x).toBeGreaterThanOrEqual(icon.x + icon.width);
  });

  test.each([
    [1_440, 1],
    [1_024, 1],
    [390, 2],
  ])('at %d pixels the ways to use an event take %d lines', async (width, lines) => {
    const page = await open('/console/sources/SOURCE', width);
    await page.locator('button.event').first().click();
    const actions = page.locator('.event-panel .actions > button');
    await expect.poll(() => actions.count()).toBe(4);
    expect(await linesOf(actions)).toHaveLength(lines);
  });

  test('the endpoint of a source has one line beside the navigation, also on a tablet', async () => {
    const page = await open('/console/sources/SOURCE', 1_024);
    const endpoint = page.locator('.about .id-line code').nth(1);
    expect(await endpoint.textContent()).toMatch(/^http/);
    expect(await endpoint.evaluate((code) => code.getClientRects().length)).toBe(1);
  });

  test('names of webhooks are whole on a tablet', async () => {
    await console.api.post('/webhooks', { url: 'https://example.org/hooks/of-a-customer', name: 'customer-59' });
    const page = await open('/console/nothing', 1_024);
    // All had a slow success.
    await page.route('**/v1/users/me/webhooks?*', async (route) => {
      const response = await route.fetch();
      const body: { data: readonly object[] } = await response.json();
      const last_attempt = { at_ms: Date.now(), outcome: 'delivered', status: 200, ms: 1_795 };
      await route.fulfill({ response, json: { ...body, data: body.data.map((each) => ({ ...each, last_attempt })) } });
    });
    await page.goto(`${console.cloud.origin}/console/webhooks`);
    await page.getByRole('row').filter({ hasText: 'customer-59' }).getByText('200 · 1.8 s').waitFor();
    const boxes = page.locator('tbody th, .table-frame');
    expect(await boxes.evaluateAll((all) => all.filter((box) => box.scrollWidth > box.clientWidth).length)).toBe(0);
  });

  test('a source that does not exist has no tabs', async () => {
    const page = await open('/console/sources/dc_000000000000000000000000', 1_440);
    await page.getByRole('alert').getByText('There is no source').waitFor();
    expect(await page.locator('.tabs').count()).toBe(0);
  });

  test('a command breaks before its options', async () => {
    const page = await open('/console/workflows/WORKFLOW/about', 390);
    const options = page.locator('.copied pre > .word').filter({ hasText: /^-/ });
    await expect.poll(() => options.count()).toBe(4);
    const left = (await boxOf(page.locator('.copied pre > .word').first())).x;
    for (const option of (await options.all()).slice(1)) expect((await boxOf(option)).x).toBe(left);
  });
});
