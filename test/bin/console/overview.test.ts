import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { newId, UserId, WebhookId } from '../../../shared/domain/id.ts';
import { HEALTHY } from '../../../shared/domain/webhook/webhook-health.ts';
import { webhookStore } from '../../../shared/store/subscriptions/webhooks.ts';
import { aWebhook } from '../../support/a-webhook.ts';
import { describeConsole } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { tableOf } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

describeConsole('the overview', (console) => {
  test('shows the first steps of an empty account', async () => {
    const page = await console.open('/console');
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
    await steps.first().waitFor();
    await expect
      .poll(() => steps.getByRole('link').allTextContents())
      .toEqual(['Create a source', 'Create a webhook', 'Subscribe the webhook to the source']);
    await looksRight(page, 'overview-first-steps');
    const done = () => steps.getByRole('img', { name: 'Done' }).count();
    expect(await done()).toBe(0);
    await console.api.post('/webhooks', { url: 'http://127.0.0.1:9/', name: 'first' });
    await page.reload();
    await expect.poll(done).toBe(1);
    const [webhook] = (await console.api.get('/users/me/webhooks')).body.data;
    await console.api.delete(`/webhooks/${webhook.id}`);
  });

  test('has four numbers of today, each on one line at every width', async () => {
    const page = await console.open('/console');
    const tiles = page.getByRole('region', { name: 'Today' });
    await tiles.getByText('Events today').waitFor();
    for (const width of [1_440, 1_024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const heights: number[] = await tiles
        .locator('.tile')
        .evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().height));
      expect([heights.length, new Set(heights).size], String(width)).toEqual([4, 1]);
    }
  });

  test('says what fails, since when and how many deliveries wait, and leads to the notices', async () => {
    const receiver = await Receiver.start();
    receiver.respond = () => ({ status: 500 });
    const { api } = console;
    const source = (await api.post('/sources', { component_code: ECHO })).body.data;
    const hook = (await api.post('/webhooks', { url: receiver.url, name: 'orders' })).body.data;
    await api.post('/subscriptions', { emitter_id: source.id, listener_id: hook.id });
    await fetch(source.endpoint_url, { method: 'POST', body: '{"n":1}' });
    const isFailing = async () => (await api.get(`/webhooks/${hook.id}`)).body.data.failing_since_ms !== null;
    await until('the webhook fails', isFailing);
    await receiver.stop();

    const page = await console.open('/console');
    await page.goto(`${console.cloud.origin}/guide`);
    const reads: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      const of = ['status', 'health', 'failed_since', 'limit'].find((name) => searchParams.has(name)) ?? '';
      const value = of === 'failed_since' ? of : (searchParams.get(of) ?? '');
      reads.push(`${pathname.replace('/v1', '')}?${value}`);
    });
    await page.goto(`${console.cloud.origin}/console`);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const line = attention.getByRole('listitem').filter({ hasText: 'orders' });
    // Health is written at the same time as the delivery that waits.
    await expect.poll(() => line.textContent()).toMatch(/^orders(?:500|Unreachable) since .*, 1 waiting$/);
    const waiting = page.getByRole('region', { name: 'Today' }).locator('.tile').filter({ hasText: 'Waiting' });
    await waiting.getByText('1', { exact: true }).waitFor();
    await looksRight(page, 'overview-attention');
    // The tiles, the list and the dots of the navigation share what they read.
    for (const read of [
      '/users/me/webhooks?100',
      '/users/me/webhooks?off,failing',
      '/users/me/webhooks?disabled,switched_on',
      '/users/me/sources?failed_since',
      `/webhooks/${hook.id}/deliveries?pending`,
    ])
      expect(
        reads.filter((each) => each === read),
        read,
      ).toHaveLength(1);
    // The sources and webhooks, which decide about the first steps, have been read.
    await page.getByRole('link', { name: '1 webhook', exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'First steps' }).count()).toBe(0);

    await attention.getByRole('link', { name: 'Set up notices' }).click();
    await page.getByRole('heading', { level: 1, name: 'Notices' }).waitFor();
  });

  test('finds what fails among many that are off on purpose, and leads to the list beyond 100', async () => {
    const { api, cloud } = console;
    const ownerId = UserId.parse((await api.get('/users/me')).body.data.id);
    const store = webhookStore(tableOf(cloud));
    const health = { ...HEALTHY, failingSince: Date.now() };
    for (let n = 0; n < 103; n += 1)
      for (const fields of [
        { name: `fails ${n}`, health },
        { name: `rests ${n}`, active: false },
      ])
        await store.create(
          aWebhook({ id: WebhookId.parse(newId('webhook', n, randomBytes)), ownerId, ...fields }),
          1_000,
        );
    const page = await console.open('/guide');
    const reads: string[] = [];
    page.on('request', (request) => reads.push(new URL(request.url()).pathname));
    await page.goto(`${cloud.origin}/console`);
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await page.getByRole('link', { name: '207 webhooks' }).waitFor();
    expect(reads.filter((each) => each.endsWith('/subscriptions'))).toEqual([]);
    await attention.getByRole('link', { name: 'fails 102', exact: true }).waitFor();
    expect(await attention.getByText('rests').count()).toBe(0);
    // One more fails since the test before.
    await attention.getByRole('link', { name: 'and 4 more webhooks' }).click();
    await page.getByText('50 of 207 webhooks').waitFor();
  });
});
