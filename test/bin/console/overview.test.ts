import { expect, test } from 'vitest';
import { choose, describeConsole } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';
import { ECHO } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

describeConsole('the overview', (console) => {
  test('shows the first steps of an empty account', async () => {
    const page = await console.open('/console');
    const steps = page.getByRole('region', { name: 'First steps' }).getByRole('listitem');
    await steps.first().waitFor();
    expect(await steps.getByRole('link').allTextContents()).toEqual([
      'Create a source',
      'Create a webhook',
      'Subscribe the webhook to the source',
    ]);
    await looksRight(page, 'overview-first-steps');
  });

  test('says what fails, since when and how many deliveries wait, and leads to a subscription to notices', async () => {
    const receiver = await Receiver.start();
    receiver.respond = () => ({ status: 500 });
    const { api } = console;
    const source = (await api.post('/sources', { component_code: ECHO })).body.data;
    const hook = (await api.post('/webhooks', { url: receiver.url, name: 'orders' })).body.data;
    const operator = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/', name: 'operator' })).body.data;
    await api.post('/subscriptions', { emitter_id: source.id, listener_id: hook.id });
    await fetch(source.endpoint_url, { method: 'POST', body: '{"n":1}' });
    const isFailing = async () => (await api.get(`/webhooks/${hook.id}`)).body.data.failing_since_ms !== null;
    await until('the webhook fails', isFailing);
    await receiver.stop();

    const page = await console.open('/console');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    const line = attention.getByRole('listitem').filter({ hasText: 'orders' });
    // Health is written at the same time as the delivery that waits.
    await expect.poll(() => line.textContent()).toMatch(/^orders(?:500|Unreachable) since .*, 1 waiting$/);
    await looksRight(page, 'overview-attention');

    await attention.getByRole('link', { name: 'Subscribe a webhook to notices' }).click();
    const form = page.getByRole('form', { name: 'New subscription' });
    expect(await form.getByLabel('Stream').inputValue()).toBe('webhook.failing');
    await choose(page, 'Listener', 'operator');
    await form.getByRole('button', { name: 'Add subscription' }).click();
    await page.getByText('The subscription was added.').waitFor();
    const made: { listener_id: string; event_name: string }[] = (await api.get('/users/me/subscriptions')).body.data;
    expect(made).toContainEqual(
      expect.objectContaining({
        emitter_id: (await api.get('/users/me/notices')).body.data.id,
        listener_id: operator.id,
        event_name: 'webhook.failing',
      }),
    );
  });
});
