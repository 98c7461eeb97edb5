import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { chooseAction, describeConsole } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';

const CODE = `export default {
  key: 'issues', name: 'Issues', version: '1.0.0',
  props: { http: '$.interface.http', tracker: { type: 'app', app: 'tracker' } },
  run() { this.$emit({ key: this.tracker.$auth.api_key, region: this.tracker.$auth.region }); },
};
`;
const WITHOUT_FIELDS = `export default {
  key: 'plain', name: 'Plain', version: '1.0.0',
  props: { plain_app: { type: 'app', app: 'plain_app' } },
  run() { this.$emit(this.plain_app.$auth); },
};
`;

const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
const table = (page: Page) => page.getByRole('table', { name: 'Accounts', exact: true });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });

describeConsole('the page of accounts', (console) => {
  const accounts = async () => (await console.api.get('/users/me/accounts')).body.data;

  beforeAll(async () => {
    await console.api.post('/components', { component_code: CODE });
    await console.api.post('/components', { component_code: WITHOUT_FIELDS });
  });

  test('an account is connected by exactly the fields that components read, which are hidden', async () => {
    const page = await console.open('/console/accounts');
    await page.getByText('No accounts yet.').waitFor();
    await press(page, 'Connect account');
    await dialog(page).getByRole('searchbox', { name: 'Search' }).fill('track');
    const apps = dialog(page).getByRole('list', { name: 'Apps' }).getByRole('button');
    await expect.poll(() => apps.allTextContents()).toEqual(['tracker by its fields']);
    await apps.click();
    const boxes = dialog(page).locator('input[type="password"]');
    await expect.poll(() => boxes.count()).toBe(2);
    expect(await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('autocomplete')))).toEqual([
      'off',
      'off',
    ]);
    await confirm(page, 'Connect');
    await dialog(page).getByRole('alert').getByText('Give at least one field a value.').waitFor();
    await looksRight(page, 'account-without-values');
    await dialog(page).getByLabel('api_key', { exact: true }).fill('s3cret-1');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Work');
    await confirm(page, 'Connect');
    await page.getByRole('status').getByText('The account Work of tracker is connected.').waitFor();
    await row(page, 'Work').getByText('Connected', { exact: true }).waitFor();
    expect(await accounts()).toMatchObject([{ app: 'tracker', name: 'Work', field_names: ['api_key'] }]);
    expect(await page.content()).not.toContain('s3cret-1');
  });

  test('Cancel closes the dialog also while its apps are read, and when they cannot be read', async () => {
    const page = await console.open('/console/accounts');
    await page.getByText('Connect account').first().waitFor();
    await page.route('**/v1/apps', () => new Promise<never>(() => undefined));
    await press(page, 'Connect account');
    await dialog(page).getByLabel('Loading').waitFor();
    await confirm(page, 'Cancel');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.unroute('**/v1/apps');
    await page.route('**/v1/apps', (route) => route.fulfill({ status: 400, json: { error: 'No apps today.' } }));
    await press(page, 'Connect account');
    await dialog(page).getByRole('alert').getByText('No apps today.').waitFor();
    await confirm(page, 'Cancel');
    await dialog(page).waitFor({ state: 'hidden' });
  });

  test('a name that is taken is refused with the sentence of the API, and the dialog stays', async () => {
    const { body } = await console.api.post('/accounts', {
      app: 'tracker',
      name: 'Work',
      fields: { api_key: 'x' },
    });
    const page = await console.open('/console/accounts');
    await press(page, 'Connect account');
    await dialog(page).getByRole('button', { name: 'tracker by its fields' }).click();
    await dialog(page).getByLabel('api_key', { exact: true }).fill('x');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Work');
    await confirm(page, 'Connect');
    await dialog(page).getByRole('alert').getByText(body.error).waitFor();
    await looksRight(page, 'account-refused');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await accounts()).toHaveLength(1);
  });

  test('a value of several lines is refused, because a box would drop its line breaks', async () => {
    const page = await console.open('/console/accounts');
    await press(page, 'Connect account');
    await dialog(page).getByRole('button', { name: 'tracker by its fields' }).click();
    await page.evaluate(`navigator.clipboard.writeText('-----BEGIN KEY-----\\nabc\\n-----END KEY-----\\n')`);
    const box = dialog(page).getByLabel('api_key', { exact: true });
    await box.focus();
    await page.keyboard.press('Control+V');
    await dialog(page).getByRole('alert').getByText('This box takes one line.').waitFor();
    expect(await box.inputValue()).toBe('');
    await page.evaluate(`navigator.clipboard.writeText('one-line\\n')`);
    await page.keyboard.press('Control+V');
    await expect.poll(() => box.inputValue()).toBe('one-line');
    await expect.poll(() => dialog(page).getByRole('alert').count()).toBe(0);
  });

  test('a field of an app whose fields are unknown is named by the person', async () => {
    const page = await console.open('/console/accounts');
    await press(page, 'Connect account');
    await dialog(page).getByRole('button', { name: 'plain_app by its fields' }).click();
    await dialog(page).getByRole('textbox', { name: 'Field name' }).fill('token');
    await dialog(page).getByLabel('Value', { exact: true }).fill('t1');
    await confirm(page, 'Add field');
    await dialog(page).getByRole('textbox', { name: 'Field name' }).nth(1).fill('host');
    await dialog(page).getByLabel('Value', { exact: true }).nth(1).fill('h1');
    await looksRight(page, 'account-named-fields');
    await confirm(page, 'Connect');
    await row(page, 'plain_app').waitFor();
    const [newest] = await accounts();
    expect(newest.field_names.toSorted()).toEqual(['host', 'token']);
  });

  test('Edit renames an account and changes only the fields that get a value', async () => {
    const source = (await console.api.post('/sources', { component_code: CODE, name: 'Issues' })).body.data;
    const id = (await accounts()).find(({ app }: { app: string }) => app === 'tracker').id;
    await console.api.put(`/sources/${source.id}`, {
      configured_props: { tracker: { authProvisionId: id } },
    });
    const page = await console.open(`/console/accounts?q=${id}`);
    await row(page, 'Work').getByRole('cell', { name: '1', exact: true }).waitFor();
    await chooseAction(page, 'Edit', 'Actions of Work');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Play');
    await confirm(page, 'Save');
    await page.getByRole('status').getByText('Saved.').waitFor();
    await row(page, 'Play').waitFor();
    expect((await console.api.get(`/accounts/${id}`)).body.data).toMatchObject({
      name: 'Play',
      field_names: ['api_key'],
    });
    await chooseAction(page, 'Edit', 'Actions of Play');
    await dialog(page).getByLabel('region', { exact: true }).fill('eu-1');
    await confirm(page, 'Save');
    await row(page, 'api_key, region').waitFor();
    // The value that was not touched is there, too. It is redacted; the new one is too short for that.
    await fetch(source.endpoint_url, { method: 'POST' });
    const events = async () =>
      (await console.api.get(`/sources/${source.id}/event_summaries`, { expand: 'event' })).body.data;
    await expect.poll(async () => (await events()).length).toBe(1);
    const [{ event }] = await events();
    expect(event).toEqual({ key: '[hidden]', region: 'eu-1' });
  });

  test('Delete names the sources that use the account, and deletes it only after “Delete anyway”', async () => {
    const page = await console.open('/console/accounts');
    await chooseAction(page, 'Delete', 'Actions of Play');
    await confirm(page, 'Cancel');
    await chooseAction(page, 'Delete', 'Actions of Play');
    await confirm(page, 'Delete');
    await dialog(page)
      .getByRole('alert')
      .getByText(/is used by the source issues \(dc_/)
      .waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await looksRight(page, 'account-in-use');
    expect(await accounts()).toHaveLength(2);
    await confirm(page, 'Delete anyway');
    await page.getByRole('status').getByText('The account Play was deleted.').waitFor();
    await row(page, 'Play').waitFor({ state: 'hidden' });
    expect(await accounts()).toHaveLength(1);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  test('the props of a source say that its account is deleted', async () => {
    const [source] = (await console.api.get('/users/me/sources')).body.data;
    const page = await console.open(`/console/sources/${source.id}/props`);
    const picker = page.getByRole('combobox', { name: 'tracker' });
    await expect.poll(() => picker.locator('option:checked').textContent()).toMatch(/^apn_\w+ \(deleted\)$/);
    await looksRight(page, 'props-account-deleted');
  });

  test('Connect… in the form of a new source connects an account, which the form then uses', async () => {
    const page = await console.open('/console/sources/new?key=issues');
    await page.getByText('There is no account of tracker yet.').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('With account');
    await press(page, 'Connect…');
    await page.getByRole('dialog', { name: 'Connect an account of tracker' }).waitFor();
    await dialog(page).getByLabel('api_key', { exact: true }).fill('s3cret-2');
    await looksRight(page, 'account-in-form');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('The account tracker of tracker is connected.').waitFor();
    const picker = page.getByRole('combobox', { name: 'tracker' });
    const [account] = await accounts();
    expect(await picker.inputValue()).toBe(account.id);
    await page.getByLabel('Props').getByText('Connected', { exact: true }).waitFor();
    await looksRight(page, 'new-source-with-account');
    // The Enter key of the dialog must not send the form around it.
    expect(page.url()).toMatch(/\/sources\/new/);
    await press(page, 'Create source');
    await page.getByRole('heading', { level: 1, name: 'With account' }).waitFor();
    const { body } = await console.api.get('/users/me/sources');
    expect(body.data.find(({ name }: { name: string }) => name === 'With account').configured_props).toEqual(
      expect.objectContaining({ tracker: { authProvisionId: account.id } }),
    );
  });
});
