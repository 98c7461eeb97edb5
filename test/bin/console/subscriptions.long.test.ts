import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { until } from '../../support/until.ts';

const ECHO = `export default { name: 'Echo', version: '1', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); } };`;

const table = (page: Page, name = 'Subscriptions') => page.getByRole('table', { name, exact: true });
/** Opens the form. */
const begin = (page: Page) => page.getByRole('button', { name: 'New subscription', exact: true }).click();
const add = (page: Page) => page.getByRole('button', { name: 'Add subscription', exact: true }).click();

describeConsole('the page of subscriptions', (console) => {
  let sourceId: string;
  beforeAll(async () => {
    const { body } = await console.api.post('/sources', { component_code: ECHO, name: 'orders' });
    sourceId = body.data.id;
    await console.api.post('/webhooks', { url: 'http://127.0.0.1:9/hook', name: 'Billing' });
    for (const status of ['paid', 'open', 'paid'])
      await fetch(body.data.endpoint_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      });
    await until('the events are stored', async () => {
      const { body: list } = await console.api.get(`/sources/${sourceId}/event_summaries`);
      return list.data.length === 3;
    });
  });

  test('a filter is tried on the last events before it is added', async () => {
    const page = await console.open('/console/subscriptions');
    await page.getByText('No subscriptions yet.').waitFor();
    await begin(page);
    await add(page);
    await page.getByRole('alert').getByText('Choose the emitter').waitFor();
    await looksRight(page, 'subscription-incomplete');
    // A changed form forgets what was missing, also when nothing is typed.
    await page.getByRole('combobox', { name: 'Emitter', exact: true }).click();
    await page.getByRole('option', { name: 'orders' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await choose(page, 'Listener', 'Billing');
    const filter = page.getByRole('textbox', { name: 'Filter' });
    await page.getByText('all of the last 3 events would be delivered').waitFor();
    await filter.fill('{"status": ["paid"]}');
    await page.getByText('The filter accepts 2 of the last 3 events.').waitFor();
    // A press of a value of an event is a condition, and a second press takes it out.
    await filter.fill('');
    const event = page.locator('.preview details').first();
    await event.locator('summary').click();
    await event.getByRole('button', { name: /^status: "(paid|open)"$/ }).click();
    expect(await filter.inputValue()).toMatch(/^\{"status":\["(paid|open)"\]\}$/);
    await page.getByText(/^The filter accepts [12] of the last 3 events/).waitFor();
    await event.getByRole('button', { name: /^status: /, pressed: true }).waitFor();
    await looksRight(page, 'subscription-filter-pressed');
    await event.getByRole('button', { name: /^status: / }).click();
    expect(await filter.inputValue()).toBe('');
    // A condition of another shape stays as it was typed.
    await filter.fill('{"status": {"code": ["paid"]}}');
    await event.getByText('The filter has another condition of status.').waitFor();
    await expect.poll(() => event.getByRole('button', { name: /^status: / }).isDisabled()).toBe(true);
    await filter.fill('{"status": "paid"}');
    const refused = await console.api.get(`/sources/${sourceId}/event_summaries`, {
      filter: '{"status": "paid"}',
    });
    await page.getByRole('alert').getByText(refused.body.error).waitFor();
    await looksRight(page, 'subscription-filter-refused');
    await filter.fill('{"status": ["paid"]}');
    await page.getByText('The filter accepts 2 of the last 3 events.').waitFor();
    await looksRight(page, 'subscription-filter-tried');
    await add(page);
    await page.getByRole('status').getByText('The subscription was added.').waitFor();
    await table(page).getByText('{"status":["paid"]}').waitFor();
    // The list is first again, and the keyboard is where it was.
    expect(await page.getByRole('form').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('New subscription');
    const { body } = await console.api.get('/users/me/subscriptions');
    expect(body.data).toMatchObject([{ emitter_id: sourceId, event_name: '', filter: { status: ['paid'] } }]);
  });

  test('a chooser offers at once what was made a moment ago', async () => {
    const page = await console.open('/console/subscriptions');
    await begin(page);
    await page.getByRole('combobox', { name: 'Listener', exact: true }).click();
    await page.getByRole('option', { name: 'Billing' }).waitFor();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('link', { name: 'New webhook' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Ledger');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('link', { name: 'Subscribe it' }).click();
    await expect.poll(() => page.getByRole('combobox', { name: 'Listener', exact: true }).inputValue()).toBe('Ledger');
    const [{ id }] = (await console.api.get('/users/me/webhooks', { q: 'Ledger' })).body.data;
    await console.api.delete(`/webhooks/${id}`);
  });

  test('the graph shows emitters and listeners as links', async () => {
    const page = await console.open('/console/subscriptions');
    const graph = page.getByRole('figure', { name: 'Graph of emitters and listeners' });
    await graph.getByRole('link', { name: 'Billing' }).waitFor();
    await looksRight(page, 'subscriptions-map');
    await graph.getByRole('link', { name: 'orders' }).click();
    await page.getByRole('heading', { level: 1, name: 'orders' }).waitFor();
  });

  test('the map shows what fails in red, and rates', async () => {
    const { data: hook } = (await console.api.post('/webhooks', { url: 'http://127.0.0.1:9/off', name: 'Off' })).body;
    await console.api.put(`/webhooks/${hook.id}`, { active: false });
    await console.api.post('/subscriptions', { emitter_id: sourceId, listener_id: hook.id, event_name: 'late' });
    const page = await console.open(`/console/subscriptions?of=${hook.id}`);
    const graph = page.getByRole('figure', { name: 'Graph of emitters and listeners' });
    await graph.getByRole('link', { name: /^Off, \S+\/min, off$/ }).waitFor();
    await expect.poll(() => graph.locator('.node.bad, .edge.bad').count()).toBe(2);
    // Only what leads to the chosen one.
    await expect.poll(() => graph.getByRole('link').count()).toBe(2);
    await choose(page, 'Map of', 'orders');
    await graph.getByRole('link', { name: 'Billing' }).waitFor();
    await page.waitForURL(new RegExp(`of=${sourceId}$`));
    await console.api.delete(`/webhooks/${hook.id}`);
  });

  test('the search stands in the address, and says when nothing matches', async () => {
    const page = await console.open('/console/subscriptions?q=billing');
    await table(page).getByRole('link', { name: 'Billing' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nothing');
    await page.getByText('No subscription matches.').waitFor();
    await looksRight(page, 'subscriptions-none');
    await page.waitForURL(/\?q=nothing$/);
  });

  test('every new emitter can be subscribed; Remove ends a subscription', async () => {
    const page = await console.open('/console/subscriptions');
    await begin(page);
    await choose(page, 'Emitter', 'Every source and workflow made from now on');
    await choose(page, 'Listener', 'Billing');
    await page.getByRole('combobox', { name: 'Stream' }).fill('$errors');
    await add(page);
    const own = table(page, 'Auto-subscriptions');
    await own.getByText('$errors').waitFor();
    await looksRight(page, 'auto-subscriptions');
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true });
    await own.getByRole('button', { name: 'Remove', exact: true }).click();
    await confirm.click();
    await own.waitFor({ state: 'hidden' });
    await table(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await table(page).getByRole('button', { name: 'Remove', exact: true }).click();
    await confirm.click();
    await page.getByRole('status').getByText('The subscription was removed.').waitFor();
    await page.getByText('No subscriptions yet.').waitFor();
    expect((await console.api.get('/users/me/subscriptions')).body.data).toEqual([]);
  });
});
