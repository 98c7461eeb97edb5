import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { until } from '../../support/until.ts';

const TO_STREAM = `export default { name: 'To stream', version: '0.0.1', run(event) { this.$emit(event, { name: event.stream }); } };`;
const SOURCES = 14;

const rows = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('link');
const searchBox = (page: Page) => page.getByRole('searchbox', { name: 'Search' });

describeConsole('the events of all sources', (console) => {
  const ids: string[] = [];
  beforeAll(async () => {
    const { api } = console;
    const hasEvent = async (id = '', query: Record<string, string> = {}): Promise<boolean> =>
      (await api.get(`/sources/${id}/event_summaries`, query)).body.data.length > 0;
    const component_id = (await api.post('/components', { component_code: TO_STREAM })).body.data.id;
    for (let n = 0; n < SOURCES; n += 1) {
      const body = { component_id, name: `Source ${n}`, tags: n < 2 ? ['old'] : [] };
      const { id } = (await api.post('/sources', body)).body.data;
      ids.push(id);
      if (n === 5) continue;
      // The search looks behind the first kilobyte, too.
      await api.post(`/sources/${id}/run`, { long: 'x'.repeat(2_000), mail: n % 2 === 0 ? 'ada@example.com' : '', n });
      await until('the event', () => hasEvent(id));
    }
    await api.post(`/sources/${ids[13]}/run`, { stream: 'orders', n: 100 });
    await until('the order', () => hasEvent(ids[13], { event_name: 'orders' }));
    await api.post('/subscriptions', { emitter_id: ids[13], listener_id: ids[0], event_name: 'orders' });
  });

  test('are read 12 sources at a time, newest first, and the page says how many', async () => {
    const page = await console.open('/console/events');
    await page.getByRole('status').getByText('Searched 12 of 14 sources').waitFor();
    // Source 5 has no event.
    await expect.poll(() => rows(page).count()).toBe(11);
    await looksRight(page, 'all-events');
    await page.getByRole('button', { name: 'Search more sources' }).click();
    await page.getByRole('status').getByText('Searched 14 of 14 sources').waitFor();
    expect(await page.getByRole('button', { name: 'Search more sources' }).count()).toBe(0);
    const sources = await page
      .getByRole('list', { name: 'Events' })
      .getByTitle(/^Source \d+$/)
      .allInnerTexts();
    expect(sources).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 4, 3, 2, 1, 0].map((n) => `Source ${n}`));
  });

  test('sources without an event are passed over, so that the search begins at those that have some', async () => {
    const { component_id } = (await console.api.get(`/sources/${ids[0]}`)).body.data;
    const idle: string[] = [];
    for (let n = 0; n < 26; n += 1)
      idle.push((await console.api.post('/sources', { component_id, name: `Idle ${n}` })).body.data.id);
    const page = await console.open('/console/events');
    await page.getByRole('status').getByText('Searched 36 of 40 sources').waitFor();
    await rows(page).filter({ hasText: 'Source 13' }).waitFor();
    for (const id of idle) await console.api.delete(`/sources/${id}`);
  });

  test('a search stands in the address, looks at whole events, and its results open the event', async () => {
    const page = await console.open('/console/events');
    await loaded(page);
    await searchBox(page).fill('ADA@example');
    await page.getByText('6 events', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('ADA@example');
    await rows(page).first().click();
    await page.getByRole('heading', { level: 1, name: 'Source 12' }).waitFor();
    await page.getByText('ada@example.com').first().waitFor();
    await page.goBack();
    await page.getByText('6 events', { exact: true }).waitFor();
    await searchBox(page).fill('nowhere');
    await page.getByText('No event matches.').waitFor();
  });

  test('filters by source, by tag and by stream', async () => {
    const page = await console.open('/console/events');
    await loaded(page);
    await choose(page, 'Tag', 'old');
    await page.getByRole('status').getByText('Searched 2 of 2 sources').waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goto(new URL('/console/events', page.url()).href);
    await choose(page, 'Source', 'Source 13');
    await page.getByRole('status').getByText('Searched 1 of 1 source').waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('orders');
    await page.getByText('1 event', { exact: true }).waitFor();
    expect(await rows(page).first().innerText()).toContain('orders');
    await page.goto(new URL('/console/events?source=dc_000000000000000000000000', page.url()).href);
    await page.getByRole('alert').waitFor();
  });
});
