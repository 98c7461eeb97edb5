import { type Browser, chromium, type CDPSession, type Page } from 'playwright-core';
import * as z from 'zod';
import { CHROMIUM } from '../../support/chromium.ts';
import { TEST_KEY } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { type ConsoleWorld, ROWS, startConsoleWorld } from './console-world.ts';
import { RawClient } from './raw-http.ts';

const DEADLINE_MS = 60_000;

/** Events per second of the stream that is watched, and for how long. */
const RATE = 200;
const WATCHED_MS = 60_000;

interface PageMeasurement {
  page: string;
  /** First contentful paint of a new tab with an empty cache. */
  paintMs: number;
  /** Time until the last placeholder went. */
  filledMs: number;
  rows: number;
  /** The longest time between two frames while the page scrolls from top to bottom. */
  longestFrameMs: number;
  heapMb: number;
  elements: number;
}

/**
 * The console with all that a user can have, a webhook with 10,000 deliveries, and a stream that gets events all the
 * time.
 */
export async function consoleAtScale(): Promise<{ pages: PageMeasurement[]; live: Record<string, number> }> {
  const world = await startConsoleWorld();
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const pages: PageMeasurement[] = [];
    for (const path of [
      '/console',
      '/console/sources',
      '/console/webhooks',
      '/console/subscriptions',
      `/console/sources/${world.sourceId}`,
      `/console/sources/${world.sourceId}/listeners`,
      `/console/webhooks/${world.webhookId}`,
    ])
      pages.push(await measured(browser, world, path));
    for (const path of [
      '/console/sources',
      '/console/webhooks',
      '/console/subscriptions',
      `/console/webhooks/${world.busyWebhookId}`,
    ])
      pages.push(await measured(browser, world, path, showMany));
    return { pages, live: await watched(browser, world) };
  } finally {
    await browser.close();
    await world.stop();
  }
}

async function open(browser: Browser, { service }: ConsoleWorld, path: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_440, height: 900 } });
  context.setDefaultTimeout(DEADLINE_MS);
  await context.addInitScript(`sessionStorage.setItem('tributary.key', ${JSON.stringify(TEST_KEY)})`);
  const page = await context.newPage();
  await page.goto(service.origin + path);
  return page;
}

async function measured(
  browser: Browser,
  world: ConsoleWorld,
  path: string,
  prepare?: (page: Page) => Promise<void>,
): Promise<PageMeasurement> {
  const startedAt = Date.now();
  const page = await open(browser, world, path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  const filledMs = Date.now() - startedAt;
  await prepare?.(page);
  const paintMs = await evaluated(page, `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? -1`);
  const rows = await page.locator('tbody tr').count();
  const longestFrameMs = await evaluated(page, SCROLL);
  const { heapMb, elements } = await memoryOf(await page.context().newCDPSession(page));
  await page.context().close();
  return {
    page: path + (prepare ? `, ${ROWS} rows` : ''),
    paintMs: Math.round(paintMs),
    filledMs,
    rows,
    longestFrameMs: Math.round(longestFrameMs),
    heapMb,
    elements,
  };
}

const evaluated = async (page: Page, script: string): Promise<number> => z.number().parse(await page.evaluate(script));

/** Scrolls to the end of the list, or presses its button, until 1,000 rows are there. */
async function showMany(page: Page): Promise<void> {
  const rows = page.locator('tbody tr');
  await until(
    'the list shows many rows',
    async () => {
      await rows.last().scrollIntoViewIfNeeded();
      if ((await rows.count()) >= ROWS) return true;
      await page.evaluate(PRESS_MORE);
      return false;
    },
    { withinMs: DEADLINE_MS },
  );
}

/** The button goes while its rows are read. */
const PRESS_MORE = `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Show more')?.click()`;

/** Scrolls by half a screen each frame. The response is the longest time between two frames. */
const SCROLL = `new Promise((resolve) => {
  let last = performance.now();
  let longest = 0;
  const step = (now) => {
    longest = Math.max(longest, now - last);
    last = now;
    const before = scrollY;
    scrollBy(0, innerHeight / 2);
    if (scrollY === before) resolve(longest);
    else requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})`;

/** Memory that scripts use after a garbage collection, and elements of the page. */
async function memoryOf(session: CDPSession): Promise<{ heapMb: number; elements: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  return { heapMb: Math.round(usedSize / 100_000) / 10, elements: nodes };
}

const EPOCH_MS = /\d{13}/;

/** Watches a stream that gets events all the time. */
async function watched(browser: Browser, world: ConsoleWorld): Promise<Record<string, number>> {
  const page = await open(browser, world, `/console/sources/${world.sourceId}`);
  const client = new RawClient(world.service);
  const path = new URL(world.endpoint).pathname;
  const startedAt = Date.now();
  let sent = 0;
  let isSending = true;
  const sending = (async () => {
    while (isSending) {
      const due = ((Date.now() - startedAt) * RATE) / 1_000;
      if (sent < due) await client.post(path, `{"n":${(sent += 1)},"at":${Date.now()}}`);
      else await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  await page.getByRole('list', { name: 'Events' }).getByRole('button').nth(99).waitFor();
  const session = await page.context().newCDPSession(page);
  const before = await memoryOf(session);
  await page.evaluate(WATCH);
  const lags: number[] = [];
  const endsAt = Date.now() + WATCHED_MS;
  while (Date.now() < endsAt) {
    const newest = await page.locator('.event-text').first().textContent();
    const sentAt = EPOCH_MS.exec(newest ?? '');
    if (!sentAt) throw new Error(`The newest line has no time: ${newest}`);
    lags.push(Date.now() - Number(sentAt[0]));
    await page.waitForTimeout(1_000);
  }
  const longTaskMs = await evaluated(page, 'Math.max(0, ...window.longTasks)');
  const busyMs = await evaluated(page, 'window.longTasks.reduce((sum, ms) => sum + ms, 0)');
  const after = await memoryOf(session);
  isSending = false;
  await sending;
  client.close();
  return {
    eventsPerSecond: Math.round(sent / ((Date.now() - startedAt) / 1_000)),
    longestLagMs: Math.max(...lags),
    longTaskMs: Math.round(longTaskMs),
    longTasksPercent: Math.round((100 * busyMs) / WATCHED_MS),
    heapMbBefore: before.heapMb,
    heapMbAfter: after.heapMb,
    elementsBefore: before.elements,
    elementsAfter: after.elements,
  };
}

/** Keeps the durations of tasks of more than 50 ms, during which the page answers nothing. */
const WATCH = `window.longTasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) window.longTasks.push(duration);
}).observe({ type: 'longtask' });`;
