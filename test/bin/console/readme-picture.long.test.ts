import { expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { expectPicture, updatesPictures } from '../../support/doc-picture.ts';
import { until } from '../../support/until.ts';

const ORDERS = `export default {
  key: 'orders', name: 'Orders', version: '0.0.1', type: 'source',
  props: { http: '$.interface.http' },
  run(event) {
    console.log('Order', event.body.id, 'of', event.body.customer);
    this.$emit(event.body, { summary: \`Order \${event.body.id}: \${event.body.total} EUR\` });
  },
};
`;

describeConsole('the pictures of the docs', (browser) => {
  let sourceId: string;

  test('show the page of a source as it is now; npm run pictures makes them anew', async () => {
    const { body } = await browser.api.post('/sources', { component_code: ORDERS, name: 'orders' });
    const { id, endpoint_url: endpoint } = body.data;
    sourceId = id;
    const customers = ['Ada', 'Grace', 'Edsger', 'Barbara'];
    for (const [n, customer] of customers.entries()) {
      const order = JSON.stringify({ id: 1001 + n, customer, total: 20 * (n + 1) });
      const sent = await fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: order,
      });
      expect(sent.status).toBe(200);
      await until('its event', async () => {
        const { body: listed } = await browser.api.get(`/sources/${id}/event_summaries`);
        return listed.data.length === n + 1;
      });
    }
    if (updatesPictures)
      await until(
        'all events are in the charts',
        async () => {
          const query = { measure: 'events', source_id: id };
          const rows: { value: number }[] = (await browser.api.get('/users/me/metrics', query)).body.data;
          return rows.reduce((sum, { value }) => sum + value, 0) === customers.length;
        },
        { withinMs: 90_000 },
      );
    const page = await browser.open(`/console/sources/${id}`, { width: 1_280 });
    await loaded(page);
    await page.getByText('Order 1001 of Ada').first().waitFor();
    await expectPicture(page, 'console');
  });

  test('show a filter that is made by a press of a value', async () => {
    await browser.api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', name: 'Billing' });
    const page = await browser.open(`/console/subscriptions?emitter=${sourceId}`, { width: 1_280 });
    await choose(page, 'Listener', 'Billing');
    const event = page.locator('.preview details').first();
    await event.locator('summary').click();
    await event.getByRole('button', { name: 'customer: "Barbara"' }).click();
    await page.getByText('The filter accepts 1 of the last 4 events.').waitFor();
    await expectPicture(page, 'filter');
  });

  test('show the map of subscriptions, with what is off in red', async () => {
    const { api } = browser;
    const { data: hooks } = (await api.get('/users/me/webhooks')).body;
    const { data: off } = (await api.post('/webhooks', { url: 'http://127.0.0.1:9/off', name: 'Archive' })).body;
    await api.put(`/webhooks/${off.id}`, { active: false });
    const { data: daily } = (await api.post('/sources', { component_code: ORDERS, name: 'large-orders' })).body;
    for (const [emitter, listener] of [
      [sourceId, daily.id],
      [sourceId, hooks[0].id],
      [daily.id, hooks[0].id],
      [daily.id, off.id],
    ])
      await api.post('/subscriptions', { emitter_id: emitter, listener_id: listener });
    const page = await browser.open('/console/subscriptions', { width: 1_280 });
    await loaded(page);
    await page.getByRole('link', { name: /^Archive, .*off$/ }).waitFor();
    await page.getByRole('heading', { name: 'Map' }).evaluate((heading) => heading.scrollIntoView());
    await expectPicture(page, 'map');
  });
});
