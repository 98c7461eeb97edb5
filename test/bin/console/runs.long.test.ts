import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { chooseAction, describeConsole, intercepting, loaded } from '../../support/console-browser.ts';
import { gate } from '../../support/gate.ts';
import { Receiver } from '../../support/receiver.ts';
import { looksRight } from '../../support/looks-right.ts';

const SHOP = `export default {
  name: 'Shop', version: '1.0.0', props: { http: '$.interface.http' },
  async run({ method, path, headers, body }) {
    console.log('takes', method, path, headers['x-shop']);
    if (body.waitsFor) await fetch(body.waitsFor);
    if (body.fails) throw new Error('The shop sent no order');
    this.$emit({ order: body.name }, { summary: 'Order of ' + body.name });
  },
};
`;

const requestOf = (name: string) => ({ method: 'PUT', path: '/orders', headers: {}, body: { name } });

/**
 * The paths that a page requests from now on, below an address. The page loads anew, with a clock that a test moves on.
 */
async function requestsOf(page: Page, address: string): Promise<string[]> {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith(address)) requests.push(pathname);
  });
  await page.clock.install();
  await page.reload();
  return requests;
}

/** Lets time pass on a page. In between, its requests end: another one is sent after them. */
async function pass(page: Page, seconds: number): Promise<void> {
  for (let n = 0; n < seconds; n += 2) {
    await page.clock.runFor(2_000);
    await page.evaluate('fetch("/console").then((page) => page.text())');
  }
}

describeConsole('the page of one run', (console) => {
  const made = { id: '', endpoint: '' };
  beforeAll(async () => {
    const receiver = await Receiver.start();
    const { body } = await console.api.post('/sources', { component_code: SHOP, name: 'Shop' });
    Object.assign(made, { id: body.data.id, endpoint: body.data.endpoint_url });
    const webhook = await console.api.post('/webhooks', undefined, {
      query: { url: receiver.url, name: 'Billing' },
    });
    await console.api.post('/subscriptions', undefined, {
      query: { emitter_id: made.id, listener_id: webhook.body.data.id },
    });
    return () => receiver.stop();
  });

  test('Send a request is the main action, is filled in, and leads to its run', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.getByRole('button', { name: 'Send a request' }).waitFor();
    await expect.poll(() => page.locator('.page-header .primary').allTextContents()).toEqual(['Send a request']);
    await page.getByRole('button', { name: 'Send a request' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a request' });
    await looksRight(page, 'send-request');
    await dialog.getByRole('combobox', { name: 'Method' }).selectOption('PUT');
    await dialog.getByRole('textbox', { name: 'Path' }).fill('/orders?page=2');
    await dialog.getByRole('textbox', { name: 'Headers' }).fill('no header');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('must have the form name: value').waitFor();
    await looksRight(page, 'send-request-refused');
    await dialog.getByRole('textbox', { name: 'Headers' }).fill('X-Shop: corner');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').getByRole('link', { name: 'Follow the run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await page.getByText('Order of Ada').waitFor();
    await page.getByText('takes PUT /orders corner').waitFor();
    await page.getByRole('list', { name: 'Progress' }).getByText('1 of 1').waitFor();
    await page.getByRole('list', { name: 'Deliveries' }).getByRole('link', { name: 'Billing' }).waitFor();
    await looksRight(page, 'run-done');
  });

  test('the states of a run come by themselves', async () => {
    const upstream = await Receiver.start();
    onTestFinished(() => upstream.stop());
    const { opened, open } = gate();
    upstream.respond = () => ({ status: 200, after: opened });
    const event = { waitsFor: upstream.url, fails: true };
    const { body } = await console.api.post(`/sources/${made.id}/run`, event);
    const page = await console.open(`/console/sources/${made.id}/runs/${body.data.id}`);
    await loaded(page);
    const current = page.locator('[aria-current="step"]');
    await current.getByText('Running').waitFor();
    await looksRight(page, 'run-running');
    open();
    await page.locator('.page-header').getByText('failed').waitFor();
    await page.getByRole('region', { name: 'Logs and errors' }).getByText('The shop sent no order').first().waitFor();
    expect(await current.count()).toBe(0);
    await looksRight(page, 'run-failed');
  });

  test('an event and a log lead to their run', async () => {
    await fetch(made.endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Grace"}',
    });
    const page = await console.open(`/console/sources/${made.id}`);
    await page.getByRole('button', { name: 'Order of Grace' }).click();
    await page.getByRole('list', { name: 'Events' }).getByRole('link', { name: 'Its run' }).click();
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await page.getByText('Order of Grace').waitFor();
    await page.getByText('1 of 1', { exact: true }).waitFor();
  });

  test('an unknown run is told as the API tells it', async () => {
    const page = await console.open(`/console/sources/${made.id}/runs/api-0`);
    await page.getByText('has no run api-0').waitFor();
    await looksRight(page, 'run-unknown');
    const requests = await requestsOf(page, `/v1/sources/${made.id}/runs/`);
    await page.getByText('has no run api-0').waitFor();
    await pass(page, 60);
    expect(requests).toHaveLength(1);
  });

  test('reads nothing more when all of the run is there', async () => {
    const { body } = await console.api.post(`/sources/${made.id}/run`, requestOf('Joan'));
    const page = await console.open(`/console/sources/${made.id}/runs/${body.data.id}`);
    const requests = await requestsOf(page, `/v1/sources/${made.id}/`);
    await page.getByText('1 of 1', { exact: true }).waitFor();
    await page.getByText('takes PUT /orders').waitFor();
    await pass(page, 4);
    requests.length = 0;
    await pass(page, 60);
    expect(requests.filter((path) => path.endsWith('/event_summaries'))).toEqual([]);
    expect(requests.length).toBeLessThan(10);
    requests.length = 0;
    await pass(page, 60);
    expect(requests).toEqual([]);
  });

  test('names runs without logs, and deliveries that have failed', async () => {
    const gone = await Receiver.start();
    gone.respond = () => ({ status: 410 });
    onTestFinished(() => gone.stop());
    const code = `export default { name: 'Quiet', version: '1.0.0', run() { this.$emit({}, { summary: 'Quiet' }); } };`;
    const { body: source } = await console.api.post('/sources', { component_code: code, name: 'Quiet' });
    const webhook = await console.api.post('/webhooks', undefined, {
      query: { url: gone.url, name: 'Gone' },
    });
    await console.api.post('/subscriptions', undefined, {
      query: { emitter_id: source.data.id, listener_id: webhook.body.data.id },
    });
    const { body } = await console.api.post(`/sources/${source.data.id}/run`, {});
    const page = await console.open(`/console/sources/${source.data.id}/runs/${body.data.id}`);
    const progress = page.getByRole('list', { name: 'Progress' });
    await progress.getByText('0 of 1, 1 failed').waitFor();
    await page.getByText('No logs of it are among the last 20.').waitFor();
    expect(await progress.locator('[aria-current="step"]').count()).toBe(0);
    await looksRight(page, 'run-undelivered');
  });

  test('a notice with the link to a run goes with its page', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const link = page.getByRole('status').getByRole('link', { name: 'Follow the run' });
    await link.waitFor();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('$errors');
    await page.waitForURL(/stream=/);
    await expect.poll(() => link.count()).toBe(1);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await link.count()).toBe(0);
  });

  test('a refusal of an action goes with its page', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.route('**/run', (route) => route.abort());
    await intercepting(page);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect(await alert.count()).toBe(0);
  });

  test('a notice with the link to a run stays on its page until it is dismissed; another one passes', async () => {
    const page = await console.open(`/console/sources/${made.id}`);
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const status = page.getByRole('status');
    const link = status.getByRole('link', { name: 'Follow the run' });
    await link.waitFor();
    await page.clock.runFor(30_000);
    await expect.poll(() => link.count()).toBe(1);
    await looksRight(page, 'notice-with-link');
    await status.getByRole('button', { name: 'Dismiss' }).click();
    await link.waitFor({ state: 'detached' });
    await chooseAction(page, 'Disable');
    await status.getByText('The source is disabled.').waitFor();
    await page.clock.runFor(8_000);
    await status.getByText('The source is disabled.').waitFor({ state: 'detached' });
  });
});
