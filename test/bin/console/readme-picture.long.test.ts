import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { until } from '../../support/until.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/images');
const PICTURE = join(FOLDER, 'console.png');
/** The content of the page at the time of the picture, in words. */
const STRUCTURE = join(FOLDER, 'console.txt');
const MAX_BYTES = 200_000;

const ORDERS = `export default {
  key: 'orders', name: 'Orders', version: '0.0.1', type: 'source',
  props: { http: '$.interface.http' },
  run(event) {
    console.log('Order', event.body.id, 'of', event.body.customer);
    this.$emit(event.body, { summary: \`Order \${event.body.id}: \${event.body.total} EUR\` });
  },
};
`;

/** Without what differs from run to run: ids, addresses, times, and counts, which come up to a minute later. */
const comparable = (structure: string): string =>
  structure
    .replace(/\b(dc_\w+|http-[\da-f-]{36})/g, 'id')
    .replace(/\d{13}-\d+/g, 'id')
    .replace(/https?:\/\/[^\s"']+/g, 'http://…')
    .replace(/\d+:\d\d(:\d\d)?( [AP]M)?/g, 'time')
    .replace(/\d+ (ms|s|min)( ago)?\b/g, 'time')
    .replace(/\b(now|just now)\b/g, 'time')
    .replace(/\b(Runs|Errors|Events): \d+, at most \d+/g, '$1: count')
    .replace(/- strong: "\d+"/g, '- strong: count');

describeConsole('the picture of the README', (browser) => {
  test('shows the page of a source as it is now; UPDATE_PICTURE=1 makes it anew', async () => {
    const { body } = await browser.api.post('/sources', { component_code: ORDERS, name: 'orders' });
    const { id, endpoint_url: endpoint } = body.data;
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
    if (process.env['UPDATE_PICTURE'] !== undefined)
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
    const structure = async () => comparable(await page.locator('body').ariaSnapshot());
    if (process.env['UPDATE_PICTURE'] !== undefined) {
      writeFileSync(PICTURE, await page.screenshot());
      writeFileSync(STRUCTURE, await structure());
    }
    expect(existsSync(PICTURE) && statSync(PICTURE).size).toBeLessThan(MAX_BYTES);
    // Events, logs and charts come in any order.
    await expect.poll(structure).toBe(readFileSync(STRUCTURE, 'utf8'));
  });
});
