import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const chart = (page: Page, name: RegExp) => page.getByRole('figure').filter({ hasText: name });

/** Clicks the middle of a plot: the nearest bar with a value counts. */
const clickBar = (page: Page, name: RegExp) => chart(page, name).locator('.u-over').click();

describeConsole('charts', (console) => {
  let receiver: Receiver;
  let sourceId: string;
  let webhookId: string;

  beforeAll(async () => {
    receiver = await Receiver.start();
    receiver.respond = () => ({ status: 500 });
    const { api } = console;
    const source = (await api.post('/sources', { component_code: ECHO, name: 'Orders' })).body.data;
    const webhook = (await api.post('/webhooks', { url: receiver.url, name: 'Billing' })).body.data;
    await api.post('/subscriptions', { emitter_id: source.id, listener_id: webhook.id });
    // The attempt is to be counted for the minute in which the delivery is created.
    await until('the minute has time left', () => Date.now() % 60_000 < 40_000);
    await fetch(source.endpoint_url, { method: 'POST', body: '{"n":1}' });
    [sourceId, webhookId] = [source.id, webhook.id];
    await until('the attempt is counted', async () => {
      const query = { measure: 'attempts', webhook_id: webhook.id };
      const { data }: { data: { value: number }[] } = (await api.get('/users/me/metrics', query)).body;
      return data.some(({ value }) => value > 0);
    });
  });
  afterAll(() => receiver.stop());

  test('a bar of a webhook lists its deliveries, and so does its row of the table', async () => {
    const page = await console.open(`/console/webhooks/${webhookId}/metrics?range=1h`);
    await chart(page, /^Attempts/)
      .getByRole('img', { name: /5xx: \d, at most \d per minute/ })
      .waitFor();
    await chart(page, /^Latency/)
      .getByText('Nothing was delivered in this time.')
      .waitFor();
    await page
      .locator('.charts-head')
      .getByText(/^Failing since/)
      .waitFor();
    await clickBar(page, /^Attempts/);
    await page.waitForURL(/[?&]since=.*&until=/);
    const rows = page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr');
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    const { searchParams } = new URL(page.url());
    const ends = ['since', 'until'].map((name) => Date.parse(searchParams.get(name) ?? ''));
    expect([(ends[1] ?? 0) - (ends[0] ?? 0), searchParams.get('range')]).toEqual([60_000, '1h']);
    await page.goto(`${console.cloud.origin}/console/webhooks/${webhookId}/metrics?range=24h`);
    await loaded(page);
    await chart(page, /^Attempts/)
      .getByText('As a table')
      .focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Attempts per hour' });
    await looksRight(page, 'chart-as-table');
    // The hour of the delivery. Its retries may be in the next one.
    await table.getByRole('link').last().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/[?&]since=.*&until=/);
    await rows.first().waitFor();
    await page.getByRole('link', { name: 'Metrics', exact: true }).click();
    await chart(page, /^Latency/).waitFor();
    await looksRight(page, 'webhook-charts');
  });

  test('a bar of a source lists its events', async () => {
    const page = await console.open(`/console/sources/${sourceId}/metrics?range=24h`);
    await chart(page, /^Events/)
      .getByRole('img', { name: 'Events: 1, at most 1 per hour.' })
      .waitFor();
    await clickBar(page, /^Events/);
    await page.waitForURL(/[?&]since=.*&until=/);
    await page.getByRole('list', { name: 'Events' }).getByRole('listitem').waitFor();
    await page.getByRole('link', { name: 'Metrics', exact: true }).click();
    await chart(page, /^Runs/).waitFor();
    await looksRight(page, 'source-charts');
    await page.getByRole('button', { name: '13 months' }).click();
    await chart(page, /^Runs per week/)
      .getByRole('img', { name: /Runs: 1, at most 1 per week/ })
      .waitFor();
    await page.waitForURL(/[?&]range=13m/);
  });

  test('a plot goes from edge to edge, and its labels are whole', async () => {
    const page = await console.open('/console/nothing');
    // The last hour ends at a time that would have a label.
    await page.clock.setFixedTime('2030-01-01T11:30:00Z');
    await page.goto(`${console.cloud.origin}/console/sources/${sourceId}/metrics?range=24h`);
    await chart(page, /^Runs/).locator('canvas').waitFor();
    const { card, title, plot, labels, hasLabels } = await page.evaluate<
      Record<'card' | 'title' | 'plot', { left: number; right: number }> & { labels: boolean[]; hasLabels: boolean }
    >(`(() => {
      const shown = document.querySelector('.chart');
      const canvas = shown.querySelector('canvas');
      const boxOf = (part) => ({ left: part.getBoundingClientRect().left, right: part.getBoundingClientRect().right });
      const isDrawn = (x) => canvas.getContext('2d').getImageData(x, canvas.height - 20, 1, 20).data.some((value) => value > 0);
      return {
        card: boxOf(shown),
        title: boxOf(shown.querySelector('figcaption')),
        plot: { ...boxOf(canvas), right: shown.querySelector('.u-over').getBoundingClientRect().right },
        labels: [isDrawn(0), isDrawn(canvas.width - 1)],
        hasLabels: Array.from({ length: canvas.width }, (_, x) => isDrawn(x)).some(Boolean),
      };
    })()`);
    expect(plot.left).toBe(title.left);
    expect(Math.round(card.right - plot.right)).toBe(Math.round(plot.left - card.left));
    expect(labels).toEqual([false, false]);
    expect(hasLabels).toBe(true);
  });

  test('the range of something new is an hour, and the card at the pointer has the numbers of a bar', async () => {
    const page = await console.open(`/console/sources/${sourceId}/metrics`);
    const runs = chart(page, /^Runs per minute/);
    await runs.getByRole('img', { name: /Runs: 1/ }).waitFor();
    expect(await page.locator('.value-card').count()).toBe(0);
    await runs.locator('.u-over').hover();
    await runs.locator('.value-card').getByText('Runs 1').waitFor();
    await page.mouse.move(0, 0);
    await page.locator('.value-card').waitFor({ state: 'detached' });
  });

  test('a source that never ran says so, and that it is off', async () => {
    const made = await console.api.post('/sources', { component_code: ECHO, name: 'Idle' });
    await console.api.put(`/sources/${made.body.data.id}`, { active: false });
    const page = await console.open(`/console/sources/${made.body.data.id}/metrics`);
    await page.getByText('No runs in this time.').waitFor();
    await page.getByText('No events in this time.').waitFor();
    await page.getByText(/^Disabled; its last change was at/).waitFor();
    await looksRight(page, 'charts-none');
  });

  test.each([
    ['sources', /^1 event in 24 hours/],
    ['webhooks', /^\d attempts?, \d failed in 24 hours/],
  ])('the list of %s has sparklines, by one request for all rows', async (section, name) => {
    const asked: string[] = [];
    const page = await console.open('/console/nothing');
    page.on('request', (request) => {
      if (request.url().includes('/metrics')) asked.push(request.url());
    });
    await page.goto(`${console.cloud.origin}/console/${section}`);
    await page.getByRole('img', { name }).waitFor();
    // They are read again after a minute.
    expect(asked).toHaveLength(1);
    await looksRight(page, `sparklines-${section}`);
  });
});
