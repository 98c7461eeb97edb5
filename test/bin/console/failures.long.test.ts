import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { NO_RETRY, Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const THROWS = `export default { name: 'Throws', version: '1', run() { throw new Error('no'); } };`;
/** One more than the overview shows at first, with the runs of a source. */
const BRANCHES = 10;
const TIME = '\\d{1,2}:\\d\\d:\\d\\d.?[AP]M';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const status = (page: Page) => page.getByRole('status');
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr');
const panel = (page: Page) => page.getByRole('region', { name: 'Missed deliveries' });

describeConsole('the pages of failures', (console) => {
  let down: Receiver;
  let good: Receiver;
  const made = { endpoint: '', crm: '' };

  const webhookTo = async (receiver: Receiver, name: string): Promise<string> =>
    (await console.api.post('/webhooks', { url: receiver.url, name })).body.data.id;
  const send = (body: object) => fetch(made.endpoint, { method: 'POST', body: JSON.stringify(body) });

  beforeAll(async () => {
    [down, good] = [await Receiver.start(), await Receiver.start()];
    down.respond = () => ({ status: 500, headers: NO_RETRY, body: '{"error":"down","code":7}' });
    const { api } = console;
    const source = (await api.post('/sources', { component_code: ECHO, name: 'Shop' })).body.data;
    const throws = (await api.post('/sources', { component_code: THROWS, name: 'Importer' })).body.data;
    const hooks = [await webhookTo(down, 'crm')];
    for (let n = 1; n < BRANCHES; n += 1) hooks.push(await webhookTo(down, `branch ${n}`));
    const newest = await webhookTo(good, 'newest');
    Object.assign(made, { endpoint: source.endpoint_url, crm: hooks[0] });
    for (const listener of [...hooks, newest])
      await api.post('/subscriptions', { emitter_id: source.id, listener_id: listener });
    await send({ type: 'order.created', id: 4 });
    for (const id of hooks)
      await until(
        'a webhook fails',
        async () => (await api.get(`/webhooks/${id}`)).body.data.failing_since_ms !== null,
      );
    await api.post(`/sources/${throws.id}/run`, {});
    await until(
      'a run failed',
      async () =>
        (await api.get(`/sources/${throws.id}/event_summaries`, { event_name: '$errors' })).body.data.length > 0,
    );
  });
  afterAll(async () => {
    await down.stop();
    await good.stop();
  });

  test('the overview has webhooks before the newer runs that failed, and shows the rest by a click', async () => {
    const page = await console.open('/console');
    const lines = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await expect.poll(() => lines.count()).toBe(BRANCHES);
    await expect.poll(() => lines.first().textContent()).toMatch(new RegExp(`500 since ${TIME}, 1 waiting$`));
    await looksRight(page, 'failures-overview');
    await button(page, 'and 1 more').click();
    await expect
      .poll(() => lines.last().textContent())
      .toMatch(new RegExp(`^Importer1 of 1 runs failed, last ${TIME}$`));
  });

  test('the navigation marks the sections with a problem, also for screen readers', async () => {
    const page = await console.open('/console/components');
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks', exact: true });
    await expect.poll(() => link.getAttribute('aria-describedby')).not.toBeNull();
    const id = await link.getAttribute('aria-describedby');
    expect(await page.locator(`#${id}`).textContent()).toBe('Needs attention');
    await looksRight(page, 'failures-navigation');
    // Failed runs are ordinary.
    expect(await page.getByRole('link', { name: 'Sources', exact: true }).getAttribute('aria-describedby')).toBeNull();
  });

  test('failing webhooks come first, the filter Health stands in the address, and headings sort', async () => {
    const page = await console.open('/console/webhooks');
    await expect.poll(() => rows(page, 'Webhooks').count()).toBe(BRANCHES + 1);
    await rows(page, 'Webhooks').last().getByText('newest').waitFor();
    const heading = (name: string) => page.getByRole('columnheader', { name });
    expect(await heading('Health').getAttribute('aria-sort')).toBe('ascending');
    await looksRight(page, 'failures-webhooks');
    await page.getByRole('combobox', { name: 'Health' }).selectOption('healthy');
    await page.waitForURL(/\?health=healthy$/);
    await expect.poll(() => rows(page, 'Webhooks').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Health' }).selectOption('');
    await button(page, 'Webhook').click();
    await page.waitForURL(/\?sort=webhook$/);
    await expect.poll(() => rows(page, 'Webhooks').first().textContent()).toContain('branch 1');
    await button(page, 'Webhook').click();
    await page.waitForURL(/\?sort=-webhook$/);
    await expect.poll(() => rows(page, 'Webhooks').first().textContent()).toContain('newest');
    expect(await heading('Webhook').getAttribute('aria-sort')).toBe('descending');
    expect(await heading('Health').getAttribute('aria-sort')).toBeNull();
  });

  test('the list of sources shows those with errors in the last 24 hours, by a filter in the address', async () => {
    const page = await console.open('/console/sources');
    await expect.poll(() => rows(page, 'Sources').count()).toBe(2);
    await page.getByRole('combobox', { name: 'State' }).selectOption('errors in 24 h');
    await expect.poll(() => rows(page, 'Sources').count()).toBe(1);
    await rows(page, 'Sources').getByText('Importer', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('1 source', { exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'State' }).selectOption('disabled');
    await page.getByText('No source matches.').waitFor();
  });

  test('the deliveries of a failing webhook begin on the first screen of 1440 × 900', async () => {
    const page = await console.open(`/console/webhooks/${made.crm}`);
    await loaded(page);
    const box = await rows(page, 'Deliveries').first().boundingBox();
    expect(box && box.y + box.height).toBeLessThanOrEqual(800);
  });

  test('on a phone a select sorts', async () => {
    const page = await console.open('/console/webhooks', { width: 390 });
    await expect.poll(() => rows(page, 'Webhooks').count()).toBe(BRANCHES + 1);
    const order = page.getByRole('combobox', { name: 'Sort by' });
    expect(await order.locator('option:checked').textContent()).toBe('Health ↑');
    await order.selectOption('Webhook ↓');
    await page.waitForURL(/\?sort=-webhook$/);
    await expect.poll(() => rows(page, 'Webhooks').first().textContent()).toContain('newest');
    await looksRight(page, 'failures-sorted-phone');
  });

  test('a focus of the window reads a paused list no more', async () => {
    const page = await console.open('/console/webhooks?q=branch');
    await expect.poll(() => rows(page, 'Webhooks').count()).toBe(BRANCHES - 1);
    await button(page, 'Pause: Live').click();
    await button(page, 'Resume: Paused').waitFor();
    const searched: (string | null)[] = [];
    page.on('request', (request) => searched.push(new URL(request.url()).searchParams.get('q')));
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await page.getByRole('searchbox', { name: 'Search' }).fill('newest');
    await expect.poll(() => rows(page, 'Webhooks').count()).toBe(1);
    expect(searched.filter((q) => q !== null)).toEqual(['newest']);
  });

  test.each([
    [1_440, 900],
    [390, 844],
  ])('a failure and its reason are on the first screen of %i × %i', async (width, height) => {
    const [delivery] = (await console.api.get(`/webhooks/${made.crm}/deliveries`)).body.data;
    for (const [path, first] of [
      ['', (page: Page) => page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first()],
      ['/webhooks', (page: Page) => rows(page, 'Webhooks').first()],
      [`/webhooks/${made.crm}`, (page: Page) => button(page, 'Try now')],
      [`/webhooks/${made.crm}/deliveries/${delivery.id}`, (page: Page) => button(page, 'Attempt 1')],
    ] as const) {
      const page = await console.open(`/console${path}`, { width });
      await page.setViewportSize({ width, height });
      await loaded(page);
      await first(page).waitFor();
      const box = await first(page).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), path).toBeLessThanOrEqual(height);
    }
  });

  test('sources are sorted by their last error', async () => {
    const page = await console.open('/console/sources?sort=-last-error');
    await expect.poll(() => rows(page, 'Sources').first().textContent()).toContain('Importer');
    await button(page, 'Last error').click();
    await expect.poll(() => rows(page, 'Sources').first().textContent()).toContain('Shop');
  });

  test('a delivery is titled by its event, has it on the first screen, and opens the attempt that failed', async () => {
    const [delivery] = (await console.api.get(`/webhooks/${made.crm}/deliveries`)).body.data;
    const page = await console.open(`/console/webhooks/${made.crm}/deliveries/${delivery.id}`);
    await page.getByRole('heading', { level: 1, name: 'order.created 4 → crm', exact: true }).waitFor();
    expect(await page.title()).toBe('order.created 4 → crm · Tributary');
    const event = await page.getByRole('figure', { name: 'Event' }).boundingBox();
    const attempts = await page.getByRole('table', { name: 'Attempts' }).boundingBox();
    expect(event?.y).toBeLessThan(300);
    expect(attempts?.y).toBeLessThan(900);
    const request = page.getByRole('region', { name: 'Request of attempt 1' });
    const response = page.getByRole('region', { name: 'Response of attempt 1' });
    await response.getByText('"down"').waitFor();
    expect((await request.boundingBox())?.x).toBeLessThan((await response.boundingBox())?.x ?? 0);
    await looksRight(page, 'failures-delivery');
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'crm' }).click();
    await page.getByRole('heading', { level: 1, name: 'crm', exact: true }).waitFor();
  });

  test('the responses of two attempts are compared by lines', async () => {
    const [delivery] = (await console.api.get(`/webhooks/${made.crm}/deliveries`)).body.data;
    down.respond = () => ({ status: 503, headers: NO_RETRY, body: '{"error":"busy","code":7}' });
    const page = await console.open(`/console/webhooks/${made.crm}/deliveries/${delivery.id}`);
    await loaded(page);
    await button(page, 'Redeliver').click();
    const opener = button(page, 'Attempt 2');
    await opener.waitFor();
    if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
    await page
      .getByRole('region', { name: 'Response of attempt 2' })
      .getByLabel('Compare with')
      .selectOption({ index: 1 });
    const difference = page.getByRole('region', { name: 'From attempt 1 to 2' });
    await expect
      .poll(() => difference.locator('del').allTextContents())
      .toEqual(['- HTTP 500', '-   "error": "down",']);
    await expect
      .poll(() => difference.locator('ins').allTextContents())
      .toEqual(['+ HTTP 503', '+   "error": "busy",']);
    await looksRight(page, 'failures-difference');
  });

  test('a failing webhook says what waits and when the next try is; Try now sends it, and the panel goes', async () => {
    const page = await console.open(`/console/webhooks/${made.crm}`);
    await expect
      .poll(() => panel(page).textContent())
      .toMatch(new RegExp(`1 waits\\. Next try ${TIME}, the oldest came ${TIME}\\.`));
    await looksRight(page, 'failures-webhook');
    await button(page, 'Try now').click();
    await status(page).getByText('It failed again: rejected 503.').waitFor();
    down.respond = () => ({ status: 200, body: 'thanks' });
    await button(page, 'Try now').click();
    await status(page).getByText('It works: what waits is sent now.').waitFor();
    await panel(page).waitFor({ state: 'hidden' });
    await button(page, 'Recover…').waitFor();
  });

  test('the dialog Recover stays open when the webhook works again meanwhile', async () => {
    down.respond = () => ({ status: 500, headers: NO_RETRY });
    await send({ type: 'order.created', id: 6 });
    const page = await console.open(`/console/webhooks/${made.crm}`);
    await panel(page).getByRole('button', { name: 'Recover…' }).click();
    down.respond = () => ({ status: 200 });
    const [delivery] = (await console.api.get(`/webhooks/${made.crm}/deliveries`)).body.data;
    await console.api.post(`/webhooks/${made.crm}/deliveries/${delivery.id}/redeliver`);
    await panel(page).waitFor({ state: 'detached' });
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  test('the response of the last success is kept', async () => {
    good.respond = () => ({ status: 202, body: 'queued as 17' });
    const id = await webhookTo(good, 'quiet');
    const [source] = (await console.api.get('/users/me/sources', { q: 'Shop' })).body.data;
    await console.api.post('/subscriptions', { emitter_id: source.id, listener_id: id });
    await send({ type: 'order.created', id: 5 });
    const [delivery] = await until('it is delivered', async () => {
      const { data } = (await console.api.get(`/webhooks/${id}/deliveries`, { status: 'delivered' })).body;
      return data.length > 0 && data;
    });
    expect(good.bodies.at(-1)).toEqual({ type: 'order.created', id: 5 });
    const page = await console.open(`/console/webhooks/${id}/deliveries/${delivery.id}`);
    await button(page, 'Attempt 1').click();
    await page.getByRole('region', { name: 'Response of attempt 1' }).getByText('queued as 17').waitFor();
  });
});
