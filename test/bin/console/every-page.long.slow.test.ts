import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { SECTIONS } from '../../../functions/console/app/finder/sections.ts';
import { chooseAction, describeConsole, loaded } from '../../support/console-browser.ts';
import { addressIn, makeContent } from '../../support/console-content.ts';
import { ROUTES, routeOf } from '../../support/console-routes.ts';
import { looksRight } from '../../support/looks-right.ts';
import { notReachedByTab } from '../../support/reached-by-tab.ts';
import { brokenIds } from '../../support/whole-ids.ts';

/** A look of each page: its name, its address, and the page of the guide behind its **?**. */
const PAGES = [
  ['overview', '/console', 'console'],
  ['sources', '/console/sources', 'console'],
  ['sources-none', '/console/sources?q=no-such-source', 'console'],
  ['new-source', '/console/sources/new', 'writing-components'],
  ['source', '/console/sources/SOURCE', 'console'],
  ['source-errors', '/console/sources/SOURCE?stream=%24errors', 'console'],
  ['source-metrics', '/console/sources/SOURCE/metrics', 'console#charts'],
  ['source-code', '/console/sources/SOURCE/code', 'writing-components'],
  ['source-props', '/console/sources/SOURCE/props', 'writing-components'],
  ['source-listeners', '/console/sources/SOURCE/listeners', 'delivery#filters'],
  ['run', '/console/sources/SOURCE/runs/RUN', 'console'],
  ['source-logs', '/console/sources/SOURCE?stream=%24logs', 'console'],
  ['source-unknown', '/console/sources/dc_000000000000000000000000', 'console'],
  ['events', '/console/events?q=ada', 'console'],
  ['webhooks', '/console/webhooks', 'delivery'],
  ['new-webhook', '/console/webhooks/new', 'delivery'],
  ['webhook', '/console/webhooks/WEBHOOK', 'delivery'],
  ['webhook-metrics', '/console/webhooks/WEBHOOK/metrics', 'console#charts'],
  ['webhook-verify', '/console/webhooks/WEBHOOK/verify', 'delivery#what-a-webhook-receives'],
  ['webhook-settings', '/console/webhooks/WEBHOOK/settings', 'delivery'],
  ['webhook-unknown', '/console/webhooks/wh_000000000000000000000000', 'delivery'],
  ['delivery', '/console/webhooks/WEBHOOK/deliveries/DELIVERY', 'debugging-a-delivery'],
  ['subscriptions', '/console/subscriptions', 'delivery#filters'],
  ['notices', '/console/notices', 'notices'],
  ['components', '/console/components', 'writing-components'],
  ['component', '/console/components/COMPONENT', 'writing-components'],
  ['workflows', '/console/workflows', 'workflows'],
  ['workflow', '/console/workflows/WORKFLOW', 'workflows'],
  ['workflow-about', '/console/workflows/WORKFLOW/about', 'workflows'],
  ['workflow-errors', '/console/workflows/WORKFLOW?stream=%24errors', 'workflows'],
  ['accounts', '/console/accounts', 'accounts'],
  ['accounts-none', '/console/accounts?q=no-such-account', 'accounts'],
  ['me', '/console/me', 'keys'],
  ['not-found', '/console/nothing', 'console'],
] as const;

describeConsole('every page', (console) => {
  let content: Readonly<Record<string, string>> = {};
  const addressOf = (pattern: string) => addressIn(content, pattern);

  test('every section without anything says what to do, and is accessible', async () => {
    const page = await console.open('/console');
    for (const [path, section] of SECTIONS) {
      await page.goto(console.cloud.origin + path);
      await loaded(page);
      // The first step is offered again where nothing is, and not louder than beside the title.
      expect(await page.locator('.empty .primary').count()).toBe(0);
      // Nothing can be searched, filtered or paused yet.
      if (section !== 'Me') expect(await page.locator('.filters, button.live').count(), section).toBe(0);
      expect(await page.locator('.empty, .first-steps').count(), section).toBe(section === 'Me' ? 0 : 1);
      await looksRight(page, `empty-${section.toLowerCase()}`);
    }
  });

  test('a source, a webhook, a workflow and an account are there', async () => {
    content = await makeContent(console);
  });

  test('is visited here: each route of the router', () => {
    const visited = new Set(PAGES.map(([, pattern]) => routeOf(pattern)));
    expect(ROUTES.filter((route) => !visited.has(route))).toEqual([]);
  });

  test.each(PAGES)(
    '%s is accessible, wide and narrow, light and dark, and by keyboard',
    async (name, pattern, topic) => {
      const page = await console.open(addressOf(pattern));
      await loaded(page);
      await expect.poll(() => page.locator('h1').count()).toBe(1);
      expect(await page.title()).toBe(`${await page.locator('h1').textContent()} · Tributary`);
      expect(await page.getByRole('link', { name: 'Guide to this page' }).getAttribute('href')).toBe(`/guide/${topic}`);
      expect(await notReachedByTab(page)).toEqual([]);
      await looksRight(page, name);
    },
  );

  test.each([...new Set(PAGES.map(([, , topic]) => topic))])('the guide has %s', async (topic) => {
    const [path, anchor] = topic.split('#');
    const page = await console.open(`/guide/${path}`);
    await loaded(page);
    if (anchor !== undefined) await expect.poll(() => page.locator(`[id="${anchor}"]`).count()).toBe(1);
  });

  test('the form that asks for the key is accessible', async () => {
    const page = await console.open('/console/me', { isSignedOut: true });
    await loaded(page);
    expect(await notReachedByTab(page)).toEqual([]);
    await looksRight(page, 'sign-in');
  });

  test('ids of runs beside events are whole at every width', async () => {
    const page = await console.open(addressOf('/console/sources/SOURCE'));
    await page.locator('article').first().waitFor();
    for (let width = 1_440; width >= 390; width -= 35) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => brokenIds(page), { message: `${width} pixels` }).toEqual([]);
    }
  });

  test('the page of the API is accessible, wide and narrow, light and dark', async () => {
    const page = await console.open('/docs', { isSignedOut: true });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await looksRight(page, 'docs');
    const create = page.locator('#createSource .example').first();
    await create.getByRole('button', { name: 'Copy' }).click();
    await create.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^curl -X POST \\\n  'http/);
    await page.setViewportSize({ width: 390, height: 844 });
    // Lines are scrolled, not wrapped within a word.
    const wrapped = `[...document.querySelectorAll('pre')].filter((pre) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(pre);
      const height = pre.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
      return Math.round(height / parseFloat(lineHeight)) !== pre.textContent.trim().split('\\n').length;
    }).map((pre) => pre.textContent)`;
    expect(await page.evaluate(wrapped)).toEqual([]);
  });

  test.each([
    ['loading', '[aria-busy="true"]', () => new Promise<never>(() => undefined)],
    [
      'failed',
      '[role="alert"]',
      (route: Route) =>
        route.fulfill({ status: 400, json: { error: 'The page of the list is unknown.', code: 'invalid' } }),
    ],
  ])('a page is accessible while its requests are %s', async (state, shown, response) => {
    const page = await console.open('/console/nothing');
    await page.route('**/v1/**', response);
    for (const [name, pattern] of [
      ['overview', '/console'],
      ['source', '/console/sources/SOURCE'],
      ['webhook', '/console/webhooks/WEBHOOK'],
      ['subscriptions', '/console/subscriptions'],
    ] as const) {
      await page.goto(console.cloud.origin + addressOf(pattern));
      await page.locator(shown).first().waitFor();
      await looksRight(page, `${state}-${name}`);
    }
  });

  test.each([
    ['event', '/console/sources/SOURCE', /Ada/, 'Event data'],
    ['error', '/console/sources/SOURCE?stream=%24errors', /nobody to greet/, 'Event data'],
    ['webhook-test', '/console/webhooks/WEBHOOK', 'Send test', 'Test'],
    ['source-menu', '/console/sources/SOURCE', 'More actions', 'More actions'],
    ['create-key', '/console/me', 'Create key', 'Create key'],
  ])('the open state %s is accessible', async (look, pattern, name, shown) => {
    const page = await console.open(addressOf(pattern));
    await loaded(page);
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByLabel(shown, { exact: true }).last().waitFor();
    await loaded(page);
    await looksRight(page, look);
  });

  test('a new secret of a webhook is accessible', async () => {
    const page = await console.open(addressOf('/console/webhooks/WEBHOOK'));
    await loaded(page);
    await chooseAction(page, 'Rotate secret');
    await page.getByLabel('Signing secret', { exact: true }).waitFor();
    await loaded(page);
    await looksRight(page, 'webhook-secret');
  });
});
