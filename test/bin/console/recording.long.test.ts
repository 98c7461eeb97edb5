import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { NO_RETRY, Receiver } from '../../support/receiver.ts';
import { Recording } from '../../support/recording.ts';
import { ECHO } from '../../support/scene.ts';

describeConsole('the recording of the docs', (console) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.stop());

  test('shows the way from sign-in to an event, a failed delivery, and its repetition', async () => {
    const { api, cloud } = console;
    const recording = new Recording();
    const source = (await api.post('/sources', { component_code: ECHO, name: 'orders' })).body.data;
    const hook = (await api.post('/webhooks', { url: receiver.url, name: 'crm' })).body.data;
    await api.post('/subscriptions', { emitter_id: source.id, listener_id: hook.id });
    receiver.respond = () => ({ status: 500, headers: NO_RETRY, body: '{"error":"the database is down"}' });

    const page = await console.open('/console', { width: 1_200, isSignedOut: true });
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await recording.show(page, 1_200);
    await page.getByRole('textbox', { name: 'API key' }).fill(cloud.key);
    await recording.show(page, 800);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await loaded(page);
    await recording.show(page, 1_600);

    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page.getByText('curl', { exact: false }).first().waitFor();
    await recording.show(page, 2_200);
    await fetch(source.endpoint_url, { method: 'POST', body: '{"type":"order.created","id":4,"total":20}' });
    const event = page.getByRole('list', { name: 'Events' }).getByRole('button').first();
    await event.waitFor();
    await recording.show(page, 1_800);
    await event.click();
    await page.getByText('"order.created"').first().waitFor();
    await recording.show(page, 2_200);

    const failing = async () => (await api.get(`/webhooks/${hook.id}`)).body.data.failing_since_ms !== null;
    await expect.poll(failing).toBe(true);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await page.getByRole('table', { name: 'Webhooks' }).getByText('failing').waitFor();
    await recording.show(page, 1_800);
    await page.getByRole('link', { name: 'crm', exact: true }).click();
    await page.getByRole('region', { name: 'Missed deliveries' }).waitFor();
    await recording.show(page, 2_000);
    const [delivery] = (await api.get(`/webhooks/${hook.id}/deliveries`)).body.data;
    await page.locator(`a[href$="${delivery.id}"]`).first().click();
    await page.getByRole('region', { name: 'Response of attempt 1' }).getByText('the database is down').waitFor();
    await recording.show(page, 2_600);

    receiver.respond = () => ({ status: 200 });
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await page.getByRole('button', { name: 'Attempt 2' }).waitFor();
    await page.getByText('delivered', { exact: true }).first().waitFor();
    await recording.show(page, 3_800);
    expect(receiver.received.length).toBeGreaterThan(1);
    recording.end();
  });
});
