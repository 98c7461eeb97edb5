import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildGuideSite } from '../../../infra/console-app.ts';
import { pagesOf, readGuide } from '../../../infra/guide/guide.ts';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';

describeConsole('the guide', (console) => {
  test.each(['', '/delivery', '/operations', '/console', '/start'])('the page %s looks right', async (path) => {
    const page = await console.open(`/guide${path}`, { isSignedOut: true });
    await loaded(page);
    await looksRight(page, `guide${path.replace('/', '-')}`);
  });

  test('leads from its index through all pages by Next, and back', async () => {
    const page = await console.open('/guide', { isSignedOut: true });
    await page.locator('article').getByRole('link', { name: 'Start and a tour' }).click();
    const titles: string[] = [];
    const neighbours = page.getByRole('navigation', { name: 'Neighbouring pages' });
    for (;;) {
      titles.push((await page.title()).replace(' · Tributary', ''));
      const next = neighbours.getByRole('link', { name: /^Next/ });
      if ((await next.count()) === 0) break;
      const address = page.url();
      await next.click();
      await page.waitForURL((url) => url.href !== address);
    }
    const pages = pagesOf(await readGuide());
    expect(titles).toEqual(pages.map(({ title }) => title));
    await neighbours.getByRole('link', { name: /^Previous/ }).click();
    await page.getByRole('heading', { level: 1, name: pages.at(-2)?.title ?? '', exact: true }).waitFor();
  });

  test('is searched, by keyboard alone', async () => {
    const page = await console.open('/guide', { isSignedOut: true });
    await page.getByRole('searchbox').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('anything-but prefix');
    const first = page.locator('.guide-found a').first();
    await first.getByText('Delivery: Operators').waitFor();
    await looksRight(page, 'guide-found');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/guide/delivery#operators');
    await page.getByRole('searchbox').fill('no-such-word');
    await page.getByRole('status').getByText('0 found').waitFor();
  });

  test('copies a block of code', async () => {
    const page = await console.open('/guide/quickstart', { isSignedOut: true });
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text: string = await page.evaluate('navigator.clipboard.readText()');
    expect(text).toMatch(/^npx tributary new webhook events\.mjs\n/);
    expect(text).not.toContain('Copy');
  });

  test('shows the tab that a person chose on every page', async () => {
    const page = await console.open('/guide/console', { isSignedOut: true });
    await page.getByRole('tabpanel').getByText('http://127.0.0.1:3000/console').waitFor();
    await page.getByRole('tab', { name: 'On one machine' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('https://<api>/console').waitFor();
    await page.goto(`${console.cloud.origin}/guide/operations`);
    await page.getByRole('tab', { name: 'On AWS', selected: true }).first().waitFor();
    await looksRight(page, 'guide-tabs');
  });

  test('is behind the ? of a page of the console', async () => {
    const page = await console.open('/console/subscriptions');
    await page.getByRole('link', { name: 'Guide to this page' }).click();
    await page.waitForURL('**/guide/delivery#filters');
    await loaded(page);
  });

  test('is the same as static files, whose links lead to files', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-docs-'));
    try {
      await buildGuideSite(folder);
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
      const pages = files.filter((name) => name.endsWith('.html'));
      expect(pages).toContain('index.html');
      for (const name of pages) {
        const targets = [...readFileSync(join(folder, name), 'utf8').matchAll(/(?:href|src)="([^"#:]+)(?:#[^"]*)?"/g)];
        expect(targets.map(([, target = '']) => target).filter((target) => !files.includes(target))).toEqual([]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
