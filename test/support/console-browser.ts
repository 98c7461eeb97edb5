import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiClient, type ApiClient } from './api-client.ts';
import { CHROMIUM } from './chromium.ts';
import { startTestCloud, type TestCloud, type TestCloudOptions } from './cloud.ts';
import { DEADLINE_MS } from './until.ts';

const hasChromium = existsSync(CHROMIUM);
/** A folder for pictures of pages, when people want to look at them. */
const { PICTURES, SLOW_BROWSER } = process.env;
export const keepsPictures = PICTURES !== undefined;
export const isSlowed = SLOW_BROWSER !== undefined;

interface PageOptions {
  width?: number;
  theme?: 'light' | 'dark';
  /** Opens pages without a key. */
  isSignedOut?: boolean;
  hasTouch?: boolean;
}

export interface ConsoleBrowser {
  readonly cloud: TestCloud;
  readonly api: ApiClient;
  /** A tab of its own. Errors and refusals of the Content-Security-Policy fail the test at its end. */
  open(path: string, options?: PageOptions): Promise<Page>;
}

/** Tests with one service and one browser. Without Chromium they are skipped, and say so. */
export function describeConsole(
  name: string,
  tests: (console: ConsoleBrowser) => void,
  options: () => TestCloudOptions = () => ({}),
): void {
  if (!hasChromium) {
    test.skip(`${name} (there is no Chromium at ${CHROMIUM}: install it, or name it in CHROMIUM)`);
    return;
  }
  describe(name, () => {
    let cloud: TestCloud;
    let api: ApiClient;
    let browser: Browser;
    const problems: string[] = [];
    const contexts: BrowserContext[] = [];

    beforeAll(async () => {
      cloud = await startTestCloud(options());
      api = await apiClient(cloud.base, cloud.key);
      browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser.close();
      await cloud.stop();
      expect(problems).toEqual([]);
    });

    tests({
      get cloud() {
        return cloud;
      },
      get api() {
        return api;
      },
      async open(path, { width = 1_440, theme = 'light', isSignedOut = false, hasTouch = false } = {}) {
        for (const context of contexts.splice(0)) await context.close();
        const context = await browser.newContext({
          colorScheme: theme,
          viewport: { width, height: 900 },
          permissions: ['clipboard-read', 'clipboard-write'],
          hasTouch,
          // An animation without end draws 60 frames a second while a test waits.
          reducedMotion: 'reduce',
        });
        contexts.push(context);
        context.setDefaultTimeout(DEADLINE_MS);
        if (!isSignedOut)
          await context.addInitScript(`sessionStorage.setItem('tributary.key', ${JSON.stringify(cloud.key)})`);
        const page = await context.newPage();
        if (SLOW_BROWSER !== undefined) await slowDown(page, Number(SLOW_BROWSER));
        page.on('pageerror', ({ message }) => problems.push(`${path}: ${message}`));
        page.on('console', (message) => {
          // Chromium writes a line for each refused request; the page shows those itself. A page of somebody else, such
          // as an attacker's, may be refused more.
          const isOurs = page.url().startsWith(`${cloud.origin}/`);
          if (isOurs && message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
            problems.push(`${path}: ${message.text()}`);
        });
        await page.goto(cloud.origin + path);
        return page;
      },
    });
  });
}

/** Gives a page a fraction of the processor time. */
async function slowDown(page: Page, rate: number): Promise<void> {
  const debuggerOfPage = await page.context().newCDPSession(page);
  await debuggerOfPage.send('Emulation.setCPUThrottlingRate', { rate });
}

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** The findings of axe-core on a page. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  // The debugger evaluates it: the page's policy allows no script of others.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  // Other results, such as passes, keep one element each.
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: Violation[];
  };
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Waits until nothing on the page is a placeholder. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('[aria-busy="true"]').count()).toBe(0);
}

/** Chooses an action of the ⋯ menu of a page, or of the row of a table. */
export async function chooseAction(page: Page, name: string, menu = 'More actions'): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Chooses an option of a combobox with a list that is searched, by typing a part of its name. */
export async function choose(page: Page, label: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).fill(name);
  await page.getByRole('option', { name }).first().click();
}

/** Holds the requests of one method to an address until they are released, and counts them. */
export async function holdRequests(page: Page, method: string, address: string | RegExp) {
  let count = 0;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      count += 1;
      await released;
    }
    await route.continue();
  });
  await intercepting(page);
  return {
    release,
    get count() {
      return count;
    },
  };
}

/**
 * Holds what an open page does after its next frames, such as effects: a slow machine draws none for as long as a
 * person presses keys.
 */
export async function holdFrames(page: Page) {
  await page.evaluate(`{
    const held = (globalThis.heldFrames = []);
    const [frames, after] = [requestAnimationFrame, setTimeout];
    globalThis.requestAnimationFrame = (frame) => held.push(frame);
    // Preact waits so long for a frame.
    globalThis.setTimeout = (task, ms, ...rest) => (ms === 35 ? held.push(task) : after(task, ms, ...rest));
    globalThis.releaseFrames = () => {
      Object.assign(globalThis, { requestAnimationFrame: frames, setTimeout: after });
      for (const task of held.splice(0)) task(0);
    };
  }`);
  return {
    /** Lets them happen, and those after them, and fails when there was nothing to hold. */
    async release() {
      expect(await page.evaluate('heldFrames.length')).toBeGreaterThan(0);
      await page.evaluate('releaseFrames()');
    },
  };
}

const ANSWERED_HERE = '/answered-by-the-test';

/** Waits until the requests of a page go through its routes: Chromium tells its driver before it tells the page. */
export async function intercepting(page: Page): Promise<void> {
  await page.route(`**${ANSWERED_HERE}`, (route) => route.fulfill({ status: 204 }));
  await expect.poll(() => page.evaluate(`fetch('${ANSWERED_HERE}').then(({ status }) => status)`)).toBe(204);
}

/** Keeps a picture of the page in the folder that `PICTURES` names. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}
