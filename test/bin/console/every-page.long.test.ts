import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { operator } from '../../support/operator.ts';
import { brokenIds } from '../../support/whole-ids.ts';

const CODE = `export default {
  key: 'greeting',
  name: 'Greeting',
  version: '1.0.0',
  props: { http: '$.interface.http', salutation: { type: 'string', label: 'Salutation', default: 'Hello' } },
  async run(event) {
    console.log('greets', event.body?.name);
    if (!event.body?.name) throw new Error('nobody to greet');
    this.$emit({ text: this.salutation + ', ' + event.body.name });
  },
};
`;

const WITH_APP = `export default { name: 'Stars', version: '1', props: { github: { type: 'app', app: 'github' } }, run() {} };`;

describeConsole('every page', (console) => {
  const variables: Record<string, string> = {};
  const addressOf = (pattern: string) => pattern.replace(/[A-Z]{3,}/g, (variable) => variables[variable] ?? variable);

  test('every section without anything says what to do, and is accessible', async () => {
    const page = await console.open('/console');
    for (const section of ['', 'sources', 'webhooks', 'subscriptions', 'components', 'workflows', 'accounts', 'me']) {
      await page.goto(`${console.cloud.origin}/console/${section}`);
      await loaded(page);
      // The first step is offered again where nothing is, and not louder than beside the title.
      expect(await page.locator('.empty .primary').count()).toBe(0);
      await looksRight(page, `empty-${section || 'overview'}`);
    }
  });

  test('there are a source with events and errors, a webhook with deliveries, and a subscription', async () => {
    const { api } = console;
    const source = (await api.post('/sources', { component_code: CODE, name: 'Greeter' })).body.data;
    await api.post('/components', { component_code: WITH_APP });
    const webhook = (
      await api.post('/webhooks', undefined, { query: { url: 'http://127.0.0.1:9/hook', name: 'Billing' } })
    ).body.data;
    await api.post('/subscriptions', undefined, {
      query: { emitter_id: source.id, listener_id: webhook.id },
    });
    for (const body of ['{"name":"Ada"}', '{"name":"Grace"}', '{}'])
      await fetch(source.endpoint_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    await expect.poll(async () => (await api.get(`/webhooks/${webhook.id}/deliveries`)).body.data.length).toBe(2);
    const [delivery] = (await api.get(`/webhooks/${webhook.id}/deliveries`)).body.data;
    const run = operator(console.cloud);
    const owner = (await api.get('/users/me')).body.data.id;
    const workflow: { id: string; ingest_url: string; credential: string } = await run('workflows register', {
      owner,
      name: 'Fulfilment',
      target: 'http://127.0.0.1:9/',
    });
    await fetch(`${workflow.ingest_url}/emits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workflow.credential}`, 'content-type': 'application/json' },
      body: '{"shipped":1}',
    });
    await run('accounts add', { owner, app: 'github', field: ['token=x'], name: 'Work' });
    Object.assign(variables, {
      WORKFLOW: workflow.id,
      SOURCE: source.id,
      WEBHOOK: webhook.id,
      DELIVERY: delivery.id,
      COMPONENT: source.component_id,
    });
  });

  test.each([
    ['overview', '/console'],
    ['sources', '/console/sources'],
    ['sources-none', '/console/sources?q=no-such-source'],
    ['new-source', '/console/sources/new'],
    ['source', '/console/sources/SOURCE'],
    ['source-errors', '/console/sources/SOURCE?stream=%24errors'],
    ['source-code', '/console/sources/SOURCE/code'],
    ['source-props', '/console/sources/SOURCE/props'],
    ['source-listeners', '/console/sources/SOURCE/listeners'],
    ['source-logs', '/console/sources/SOURCE?stream=%24logs'],
    ['source-unknown', '/console/sources/dc_000000000000000000000000'],
    ['webhooks', '/console/webhooks'],
    ['new-webhook', '/console/webhooks/new'],
    ['webhook', '/console/webhooks/WEBHOOK'],
    ['webhook-settings', '/console/webhooks/WEBHOOK/settings'],
    ['webhook-unknown', '/console/webhooks/wh_000000000000000000000000'],
    ['delivery', '/console/webhooks/WEBHOOK/deliveries/DELIVERY'],
    ['subscriptions', '/console/subscriptions'],
    ['components', '/console/components'],
    ['component', '/console/components/COMPONENT'],
    ['workflows', '/console/workflows'],
    ['workflow', '/console/workflows/WORKFLOW'],
    ['workflow-errors', '/console/workflows/WORKFLOW?stream=%24errors'],
    ['accounts', '/console/accounts'],
    ['accounts-none', '/console/accounts?q=no-such-account'],
    ['me', '/console/me'],
    ['not-found', '/console/nothing'],
    ['sign-in', '/console/me'],
  ])('%s is accessible, wide and narrow, light and dark', async (name, pattern) => {
    const isSignedOut = name === 'sign-in';
    const page = await console.open(addressOf(pattern), { isSignedOut });
    await loaded(page);
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.title()).toBe(`${await page.locator('h1').textContent()} · Tributary`);
    await looksRight(page, name);
  });

  test('ids of runs beside events are whole at every width', async () => {
    const page = await console.open(addressOf('/console/sources/SOURCE'));
    await page.locator('article').first().waitFor();
    for (let width = 1_440; width >= 390; width -= 35) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => brokenIds(page), { message: `${width} pixels` }).toEqual([]);
    }
  });

  test('the page of the API is accessible, wide and narrow, light and dark', async () => {
    const page = await console.open('/docs', { isSignedOut: true });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await looksRight(page, 'docs');
  });

  test.each([
    ['loading', '[aria-busy="true"]', () => new Promise<never>(() => undefined)],
    [
      'failed',
      '[role="alert"]',
      (route: Route) =>
        route.fulfill({ status: 400, json: { error: 'The page of the list is unknown.', code: 'invalid' } }),
    ],
  ])('a page is accessible while its requests are %s', async (state, shown, response) => {
    const page = await console.open('/console/nothing');
    await page.route('**/v1/**', response);
    for (const [name, pattern] of [
      ['overview', '/console'],
      ['source', '/console/sources/SOURCE'],
      ['webhook', '/console/webhooks/WEBHOOK'],
      ['subscriptions', '/console/subscriptions'],
    ] as const) {
      await page.goto(console.cloud.origin + addressOf(pattern));
      await page.locator(shown).first().waitFor();
      await looksRight(page, `${state}-${name}`);
    }
  });

  test.each([
    ['event', '/console/sources/SOURCE', /Ada/, 'Event data'],
    ['error', '/console/sources/SOURCE?stream=%24errors', /nobody to greet/, 'Event data'],
    ['delete-dialog', '/console/sources/SOURCE', 'Delete', 'Delete this source?'],
    ['send-dialog', '/console/sources/SOURCE', 'Send a request', 'Send a request'],
    ['account-dialog', '/console/accounts', 'Connect account', 'Apps'],
    ['account-edit', '/console/accounts', 'Edit', 'Edit Work'],
    ['account-delete', '/console/accounts', 'Delete', 'Delete Work?'],
    ['remove-dialog', '/console/subscriptions', 'Remove', 'Remove this subscription?'],
    ['webhook-test', '/console/webhooks/WEBHOOK', 'Send test', 'Test'],
    ['webhook-secret', '/console/webhooks/WEBHOOK', 'Rotate secret', 'Signing secret'],
  ])('the open state %s is accessible', async (look, pattern, name, shown) => {
    const page = await console.open(addressOf(pattern));
    await loaded(page);
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByLabel(shown, { exact: true }).waitFor();
    await loaded(page);
    await looksRight(page, look);
  });
});
