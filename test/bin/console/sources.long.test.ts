import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { SourceId } from '../../../shared/domain/id.ts';
import { sourceStore } from '../../../shared/store/emitters/sources.ts';
import { choose, chooseAction, describeConsole, holdRequests } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { tableOf } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

const ORDERS = `export default {
  key: 'orders',
  name: 'Orders',
  version: '1.0.0',
  props: {
    http: '$.interface.http',
    salutation: { type: 'string', label: 'Salutation' },
    count: { type: 'integer', label: 'Count', min: 1, default: 3 },
    isLoud: { type: 'boolean', label: 'Loud', default: false },
    tags: { type: 'string[]', label: 'Tags', optional: true },
    size: { type: 'string', label: 'Size', options: ['s', { label: 'Large one', value: 'l' }], default: 's' },
    city: { type: 'string', label: 'City', optional: true, options: () => [{ label: 'Rome', value: 'rom' }] },
    extra: { type: 'object', label: 'Extra', optional: true },
    mode: { type: 'string', label: 'Mode', options: ['plain', 'deep'], reloadProps: true, default: 'plain' },
  },
  async additionalProps() {
    return this.mode === 'deep' ? { depth: { type: 'integer', label: 'Depth' } } : {};
  },
  async run(event) {
    console.log('one line of the log');
    if (event.body?.fails) throw new Error('The shop sent no order');
    this.$emit({ ...event.body, salutation: this.salutation, city: this.city, big: 1 }, { summary: event.body?.summary });
  },
};
`;

const events = (page: Page) => page.getByRole('list', { name: 'Events' }).getByRole('button', { expanded: false });

describeConsole('the pages of sources', (console) => {
  const sourceNamed = async (name: string) => {
    const { body } = await console.api.get('/users/me/sources', { q: name });
    return body.data.find((source: { name: string }) => source.name === name);
  };

  beforeAll(async () => {
    await console.api.post('/sources', {
      component_code: ORDERS,
      name: 'Orders of the shop',
      configured_props: { salutation: 'Ahoy', count: 7, tags: ['a', 'b'], mode: 'deep', depth: 4 },
    });
  });

  test('a source of an app with one address may listen to the one that has it, and is asked for its account', async () => {
    const slack = "const slack = { type: 'app', app: 'slack', methods: { token() { return this.$auth.bot_token; } } };";
    const hook = "hook: { type: '$.interface.apphook', appProp: 'slack' }";
    const { body } = await console.api.post('/sources', {
      component_code: `const slack = { type: 'app', app: 'slack' }; export default { name: 'Relay', version: '1', props: { slack, ${hook} } };`,
      name: 'The relay',
    });
    await console.api.post('/accounts', { app: 'slack', name: 'work', fields: { bot_token: 't' } });
    const page = await console.open('/console/sources/new');
    await page
      .getByRole('textbox', { name: 'Code' })
      .fill(`${slack} export default { name: 'Messages', version: '1', props: { slack, ${hook} }, run() {} };`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Messages');
    const from = page.getByRole('combobox', { name: 'Events come from' });
    await from.selectOption('The relay, which has the address');
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByText('slack needs an account: choose one, or connect one.').first().waitFor();
    await looksRight(page, 'new-source-of-an-app');
    await page.getByRole('combobox', { name: 'slack', exact: true }).selectOption('work');
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByText('Source Messages created.').waitFor();
    const listener = await until('the source', () => sourceNamed('Messages'));
    const subscriptions = await console.api.get('/users/me/subscriptions');
    expect(subscriptions.body.data).toMatchObject([
      { emitter_id: body.data.id, listener_id: listener.id, event_name: '' },
    ]);
    for (const id of [listener.id, body.data.id]) await console.api.delete(`/sources/${id}`);
  });

  test('a build error stands at its line; a required prop is asked for; every kind of prop is set', async () => {
    const page = await console.open('/console/sources/new');
    await page.locator('.cm-content').waitFor();
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('export default {\n  name: oops oops,\n};');
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('alert').getByText('component.mjs:2').first().waitFor();
    const marked = page.locator('.cm-gutterElement').filter({ has: page.locator('.cm-lint-marker-error') });
    const line = code.getByText('name: oops oops');
    // The editor moves the numbers of its lines in the frame after a change.
    await expect.poll(async () => (await marked.boundingBox())?.y === (await line.boundingBox())?.y).toBe(true);
    await looksRight(page, 'new-source-with-build-error');

    await code.fill(ORDERS);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Made by hand');
    await page.getByRole('textbox', { name: 'Salutation', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('alert').getByText('Salutation needs a value.').waitFor();
    await looksRight(page, 'new-source-without-prop');
    await page.getByRole('textbox', { name: 'Salutation', exact: true }).fill('Ahoy');
    await page.getByRole('textbox', { name: 'Count', exact: true }).fill('7');
    await page.getByRole('checkbox', { name: 'Loud', exact: true }).check();
    // The source has tags, too.
    const props = page.getByRole('region', { name: 'Props', exact: true });
    await props.getByRole('textbox', { name: 'Tags', exact: true }).fill('a\nb');
    await page.getByRole('combobox', { name: 'Size', exact: true }).selectOption('Large one');
    await page.getByRole('combobox', { name: 'City', exact: true }).selectOption('Rome');
    await page.getByRole('textbox', { name: 'Extra', exact: true }).fill('{"a": [1]}');
    await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('deep');
    await page.getByRole('textbox', { name: 'Depth', exact: true }).fill('4');
    await looksRight(page, 'new-source-with-props');
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('heading', { level: 1, name: 'Made by hand' }).waitFor();
    expect((await sourceNamed('Made by hand')).configured_props).toMatchObject({
      salutation: 'Ahoy',
      count: 7,
      isLoud: true,
      tags: ['a', 'b'],
      size: 'l',
      city: 'rom',
      extra: { a: [1] },
      mode: 'deep',
      depth: 4,
    });
  });

  test('an event is on the page by itself, whole and as it was sent, with the log of its run', async () => {
    const { id, endpoint_url: endpoint } = await sourceNamed('Orders of the shop');
    const page = await console.open(`/console/sources/${id}`);
    await page.getByText('No events yet.').waitFor();
    const body = '{"summary":"First order","z":12345678901234567890,"2":"two","1":"one"}';
    await fetch(endpoint, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await expect.poll(async () => (await console.api.get(`/sources/${id}/event_summaries`)).body.data.length).toBe(1);
    const entry = page.getByRole('button', { name: 'First order' });
    await entry.waitFor();
    const visited = await page.evaluate('history.length');
    await entry.click();
    expect(await entry.getAttribute('aria-expanded')).toBe('true');
    expect(await page.evaluate('history.length')).toBe(visited);
    await page.getByText('"salutation": "Ahoy"').waitFor();
    await page.getByRole('article').getByText('one line of the log').first().waitFor();
    // The address of the page opens the event.
    await page.reload();
    await page.getByText('"salutation": "Ahoy"').waitFor();
    await page.getByRole('article').getByText('one line of the log').first().waitFor();
    await looksRight(page, 'source-event');
    // The page scrolls to the event of its address.
    await page.setViewportSize({ width: 1_440, height: 200 });
    await page.reload();
    await entry.waitFor();
    await expect.poll(async () => (await entry.boundingBox())?.y).toBeLessThan(200);
    await entry.click();
    await page.waitForURL(`**/console/sources/${id}`);
  });

  test('data that a component does not touch is shown as it was sent', async () => {
    const { body } = await console.api.post('/sources', {
      component_code: `export default { name: 'Pass', version: '1', props: { http: '$.interface.http' } };`,
    });
    const raw = '{"method":"GET","headers":{},"z":12345678901234567890,"2":1.0,"1":"one","__proto__":null}';
    const headers = { 'content-type': 'application/json' };
    await console.api.call('POST', `/sources/${body.data.id}/run`, { raw, headers });
    const page = await console.open(`/console/sources/${body.data.id}`);
    await events(page).first().click();
    const shown = page.getByRole('figure', { name: 'Event data' }).locator('.json-tree');
    await expect.poll(async () => (await shown.textContent())?.replace(/\s/g, '')).toBe(raw);
  });

  test('a paused list stays, a filter narrows it, and both stand in the address', async () => {
    const { id, endpoint_url: endpoint } = await sourceNamed('Orders of the shop');
    const send = (order: object) =>
      fetch(endpoint, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(order),
      });
    const page = await console.open(`/console/sources/${id}`);
    await events(page).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    const shown = await events(page).count();
    await send({ summary: 'While paused', who: 'Grace' });
    await expect
      .poll(async () => (await console.api.get(`/sources/${id}/event_summaries`)).body.data.length)
      .toBe(shown + 1);
    expect(await events(page).count()).toBe(shown);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'While paused' }).waitFor();

    await page.getByRole('textbox', { name: 'Filter' }).fill('{"who": ["Grace"]}');
    await page.keyboard.press('Enter');
    await expect.poll(() => events(page).count()).toBe(1);
    await page.reload();
    await expect.poll(() => events(page).count()).toBe(1);
    await page.getByRole('textbox', { name: 'Filter' }).fill('{"who": "Grace"}');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('filter').waitFor();
    await looksRight(page, 'source-filter-refused');
  });

  test('an error stands beside the log of its run, and its stack opens the code at the line', async () => {
    const { id, endpoint_url: endpoint } = await sourceNamed('Orders of the shop');
    const page = await console.open(`/console/sources/${id}`);
    await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"fails":true}',
    });
    const run = page.getByRole('article').filter({ hasText: 'The shop sent no order' });
    await run.first().waitFor();
    await run.first().getByText('one line of the log').waitFor();
    await run
      .first()
      .getByRole('link', { name: /^component\.mjs:\d+/ })
      .first()
      .click();
    await page.waitForURL(`**/console/sources/${id}/code?**`);
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    await page.locator('.cm-activeLine', { hasText: 'throw new Error' }).waitFor();
    await looksRight(page, 'source-code-at-line');
    await page.goBack();
    await page.getByRole('combobox', { name: 'Stream' }).selectOption('$errors');
    await page.waitForURL('**stream=%24errors');
    await expect.poll(() => events(page).count()).toBe(1);
    await page.goBack();
    await page.waitForURL(`**/console/sources/${id}`);
    expect(await page.getByRole('combobox', { name: 'Stream' }).inputValue()).toBe('');
  });

  test('code and props are changed while the source runs', async () => {
    const { id } = await sourceNamed('Orders of the shop');
    const page = await console.open(`/console/sources/${id}/code`);
    await page.locator('.cm-content').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(ORDERS.replace('big: 1', 'size: this.size'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved. The source runs the new code.').waitFor();
    await page.getByRole('navigation', { name: 'Source' }).getByRole('link', { name: 'Props' }).click();
    const salutation = page.getByRole('textbox', { name: 'Salutation', exact: true });
    expect(await salutation.inputValue()).toBe('Ahoy');
    await salutation.fill('Hello');
    await page.getByRole('textbox', { name: 'Tags', exact: true }).fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved. The source runs with the new props.').waitFor();
    const { configured_props: props } = await sourceNamed('Orders of the shop');
    expect(props).toMatchObject({ salutation: 'Hello', count: 7, depth: 4 });
    expect(props).not.toHaveProperty('tags');
    await page.getByRole('textbox', { name: 'Count', exact: true }).fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('It must be at least 1.').waitFor();
    await looksRight(page, 'source-props-refused');
  });

  test('a listener is added and removed', async () => {
    const { id } = await sourceNamed('Orders of the shop');
    const { body } = await console.api.post('/webhooks', undefined, {
      query: { url: 'http://127.0.0.1:9/', name: 'Billing' },
    });
    const page = await console.open(`/console/sources/${id}/listeners`);
    await page.getByText('Nothing listens to this source.').waitFor();
    // The list comes first: the form opens by its button, and goes with the subscription.
    expect(await page.getByRole('form', { name: 'New listener' }).count()).toBe(0);
    await page.getByRole('button', { name: 'New listener' }).click();
    await choose(page, 'Listener', 'Billing');
    await page.getByRole('button', { name: 'Add listener' }).click();
    await page.getByRole('table', { name: 'Listeners' }).getByRole('link', { name: 'Billing' }).waitFor();
    await page.getByRole('form', { name: 'New listener' }).waitFor({ state: 'detached' });
    const listed = await console.api.get('/users/me/subscriptions');
    expect(listed.body.data).toMatchObject([{ emitter_id: id, listener_id: body.data.id }]);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('status').getByText('The subscription was removed.').waitFor();
    await page.getByText('Nothing listens to this source.').waitFor();
    expect((await console.api.get('/users/me/subscriptions')).body.data).toEqual([]);
  });

  test('a source is switched off and on, once while it is under way; a refusal is the API’s sentence', async () => {
    const { id } = await sourceNamed('Orders of the shop');
    const page = await console.open(`/console/sources/${id}`);
    const held = await holdRequests(page, 'PUT', '**/v1/sources/*');
    await chooseAction(page, 'Disable');
    await chooseAction(page, 'Disable');
    held.release();
    await page.getByText('The source is disabled.').waitFor();
    expect(held.count).toBe(1);
    expect((await console.api.get(`/sources/${id}`)).body.data.active).toBe(false);
    await chooseAction(page, 'Enable');
    await page.getByText('The source is enabled.').waitFor();
    const missing = await console.open('/console/sources/dc_000000000000000000000000');
    const { body } = await console.api.get('/sources/dc_000000000000000000000000');
    await missing.getByRole('alert').getByText(body.error).waitFor();
  });

  test('the triggers that wait for a source are shown with their oldest, and dropped', async () => {
    const { body } = await console.api.post('/sources', {
      component_code: "export default { name: 'Behind', version: '0.0.1', run() {} };",
    });
    const { id } = body.data as { id: string };
    // Its triggers wait in the backlog, as those of a source that has been behind for a minute.
    await sourceStore(tableOf(console.cloud)).setSuspension(SourceId.parse(id), { since: 0 });
    for (const n of [1, 2]) await console.api.post(`/sources/${id}/run`, { n });
    await until('two wait', async () => (await console.api.get(`/sources/${id}`)).body.data.waiting === 2);
    const page = await console.open(`/console/sources/${id}`);
    const line = page.getByText('2 waiting, oldest since');
    await line.waitFor();
    await looksRight(page, 'source-behind');
    await page.getByRole('button', { name: 'Drop waiting' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drop waiting' }).click();
    await page.getByRole('status').getByText('The waiting triggers are being dropped.').waitFor();
    await line.waitFor({ state: 'detached' });
  });
});
