import { beforeAll, test } from 'vitest';
import { chooseAction, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { ECHO } from '../../support/scene.ts';
import { until } from '../../support/until.ts';

const NIGHTLY = `export default {
  key: 'nightly', name: 'Nightly', version: '1.0.0',
  props: {
    timer: { type: '$.interface.timer', default: { cron: '0 3 * * *' } },
    kinds: { type: 'string[]', label: 'Kinds', description: 'Which *kinds* of orders.', options: ['paid', 'open', 'returned'], optional: true },
    password: { type: 'string', label: 'Password', secret: true, optional: true },
    days: { type: 'integer', label: 'Days', min: 1, max: 31, default: 7 },
  },
  run() {},
};
`;

describeConsole('objects that are off, held or have no endpoint', (console) => {
  const made = { nightly: '', orders: '', webhook: '', delivery: '' };
  beforeAll(async () => {
    const { api } = console;
    const nightly = (await api.post('/sources', { component_code: NIGHTLY, name: 'Nightly' })).body.data;
    await api.put(`/sources/${nightly.id}`, { active: false });
    const source = (await api.post('/sources', { component_code: ECHO, name: 'Orders' })).body.data;
    const webhook = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/', name: 'Billing' })).body.data;
    await api.put(`/webhooks/${webhook.id}`, { active: false });
    await api.post('/subscriptions', { emitter_id: source.id, listener_id: webhook.id });
    const auto = { event_name: '$errors', listener_id: webhook.id };
    await api.post('/auto_subscriptions', undefined, { query: auto });
    await fetch(source.endpoint_url, { method: 'POST', body: '{"n":1}' });
    Object.assign(made, { nightly: nightly.id, orders: source.id, webhook: webhook.id });
    made.delivery = await until('the delivery is held', async () => {
      const [held]: { id: string }[] = (await api.get(`/webhooks/${webhook.id}/deliveries`)).body.data;
      return held?.id;
    });
  });

  test.each([
    ['source-off', () => `/console/sources/${made.nightly}`],
    ['source-off-props', () => `/console/sources/${made.nightly}/props`],
    ['sources-off', () => '/console/sources'],
    ['webhook-off', () => `/console/webhooks/${made.webhook}`],
    ['webhooks-off', () => '/console/webhooks'],
    ['delivery-held', () => `/console/webhooks/${made.webhook}/deliveries/${made.delivery}`],
  ])('%s is accessible, wide and narrow, light and dark', async (look, path) => {
    const page = await console.open(path());
    await loaded(page);
    await looksRight(page, look);
  });

  test.each([
    ['send-event', () => `/console/sources/${made.nightly}`, 'Send an event…', 'Send an event'],
    ['clear-stream', () => `/console/sources/${made.orders}`, 'Clear stream', 'Clear this stream?'],
    ['auto-remove', () => '/console/subscriptions', 'Remove', 'Remove this auto-subscription?'],
  ])('the dialog %s is accessible, wide and narrow, light and dark', async (look, path, name, title) => {
    const page = await console.open(path());
    await loaded(page);
    await page.getByRole('button', { name, exact: true }).last().click();
    await page.getByRole('dialog', { name: title }).waitFor();
    await looksRight(page, look);
  });

  test('the dialog before a webhook is deleted is accessible, wide and narrow, light and dark', async () => {
    const page = await console.open(`/console/webhooks/${made.webhook}`);
    await loaded(page);
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog', { name: 'Delete Billing?' }).waitFor();
    await looksRight(page, 'webhook-delete');
  });
});
