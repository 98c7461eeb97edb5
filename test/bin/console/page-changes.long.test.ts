import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { until } from '../../support/until.ts';

const CODE = `export default { name: 'Issues', version: '1', props: {
  tracker: { type: 'app', app: 'tracker', optional: true }, note: { type: 'string', label: 'Note', optional: true } },
  run({ count }) { for (let n = 0; n < count; n += 1) this.$emit({ n, key: this.tracker?.$auth.api_key }); } };`;

const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const focused = (page: Page) => page.evaluate('document.activeElement.id');

describeConsole('after a change of the page', (console) => {
  const made = { source: '', webhook: '' };
  beforeAll(async () => {
    const { api } = console;
    made.source = (await api.post('/sources', { component_code: CODE, name: 'Issues' })).body.data.id;
    const query = { url: 'http://127.0.0.1:9/', name: 'Billing' };
    made.webhook = (await api.post('/webhooks', undefined, { query })).body.data.id;
    for (const stream of ['first', 'second'])
      await api.post('/subscriptions', undefined, {
        query: { emitter_id: made.source, listener_id: made.webhook, event_name: stream },
      });
  });

  test('a dialog that connects an account ends with its page, and does not come back with it', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Accounts' }).click();
    await press(page, 'Connect account');
    await dialog(page).getByRole('list', { name: 'Apps' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Me' }).waitFor();
    await dialog(page).waitFor({ state: 'hidden' });
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor();
    await loaded(page);
    expect(await dialog(page).count()).toBe(0);
  });

  test('the form of a source keeps what was typed while an account is connected, and saves both', async () => {
    const page = await console.open(`/console/sources/${made.source}/props`);
    await loaded(page);
    await page.getByRole('textbox', { name: 'Note' }).fill('Typed before');
    await press(page, 'Connect…');
    await dialog(page).getByLabel('api_key', { exact: true }).fill('s3cret-1');
    await page.keyboard.press('Enter');
    const field = page.getByRole('combobox', { name: 'tracker' });
    await expect.poll(() => field.locator('option:checked').textContent()).toBe('tracker');
    await press(page, 'Save');
    await page.getByRole('status').getByText('Saved.').waitFor();
    const [account] = (await console.api.get('/users/me/accounts')).body.data;
    const { configured_props: props } = (await console.api.get(`/sources/${made.source}`)).body.data;
    expect(props).toMatchObject({ note: 'Typed before', tracker: { authProvisionId: account.id } });
    await field.selectOption('No account');
    await press(page, 'Save');
    await until('the account is no longer used', async () => {
      const { body } = await console.api.get(`/sources/${made.source}`);
      return body.data.configured_props.tracker === undefined;
    });
  });

  test('a link to an event opens it and scrolls to it', async () => {
    await console.api.post(`/sources/${made.source}/run`, { count: 60 });
    const events = async () =>
      (await console.api.get(`/sources/${made.source}/event_summaries`, { limit: '100' })).body.data;
    await until('all events are stored', async () => (await events()).length === 60);
    const { id } = (await events()).at(-1);
    const page = await console.open(`/console/sources/${made.source}?event=${id}`);
    const opened = page.getByRole('list', { name: 'Events' }).getByRole('button', { expanded: true });
    await opened.waitFor();
    await expect
      .poll(() => opened.evaluate((part) => part.getBoundingClientRect().top))
      .toBeLessThan(page.viewportSize()?.height ?? 0);
    await page.getByRole('figure', { name: 'Event data' }).getByText('"n": 0').waitFor();
  });

  test('the focus goes to the page when what had it is deleted', async () => {
    const page = await console.open('/console/subscriptions');
    const rows = page.getByRole('table', { name: 'Subscriptions' }).locator('tbody tr');
    await rows.first().getByRole('button', { name: 'Remove' }).press('Enter');
    await dialog(page).getByRole('button', { name: 'Remove' }).press('Enter');
    await expect.poll(() => rows.count()).toBe(1);
    await expect.poll(() => focused(page)).toBe('main');
    for (const path of [`webhooks/${made.webhook}`, `sources/${made.source}`]) {
      await page.goto(`${console.cloud.origin}/console/${path}`);
      await loaded(page);
      await page.getByRole('button', { name: 'More actions' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
      await dialog(page).getByRole('button', { name: 'Delete' }).press('Enter');
      await page.waitForURL(/\/console\/(?:webhooks|sources)$/);
      await expect.poll(() => focused(page)).toBe('main');
    }
  });
});
