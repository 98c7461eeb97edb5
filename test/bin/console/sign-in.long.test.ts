import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { AuthorizationServer } from '../../support/authorization-server.ts';
import { chooseAction, describeConsole } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { registerTestClient } from '../../support/register-client.ts';

const CODE = `export default {
  key: 'mails', name: 'Mails', version: '1.0.0',
  props: { http: '$.interface.http', acme: { type: 'app', app: 'acme' } },
  run() { this.$emit({ uid: this.acme.$auth.oauth_uid }); },
};
`;

const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

/**
 * Presses a button of the dialog, follows the tab that it opens to its end, and waits for the page to tell that the
 * account is connected.
 */
async function signIn(page: Page, account: string, { button = 'Continue', isLookedAt = false } = {}): Promise<void> {
  const opened = page.context().waitForEvent('page');
  await confirm(page, button);
  const tab = await opened;
  expect(await tab.evaluate('window.opener')).toBeNull();
  const connect = tab.getByRole('button', { name: 'Connect this account' });
  await connect.waitFor();
  if (isLookedAt) await looksRight(tab, 'connect-question');
  await connect.click();
  await tab.getByText('The account is connected').waitFor();
  // The notice passes after some seconds.
  await page.getByRole('status').getByText(`The account ${account} of acme is connected.`).waitFor();
  if (isLookedAt) await looksRight(tab, 'connect-done');
  await tab.close();
}

describeConsole('connecting an account by a sign-in in the console', (console) => {
  let provider: AuthorizationServer;
  const accounts = async () => (await console.api.get('/users/me/accounts')).body.data;

  beforeAll(async () => {
    provider = await AuthorizationServer.start();
    await registerTestClient(console.cloud, { settings: { ...provider.settings, scopes: ['read'] } });
    await registerTestClient(console.cloud, {
      apps: ['shop'],
      settings: {
        ...provider.settings,
        authorization: 'https://{shop}.example.org/authorize',
        scopes: ['read'],
      },
    });
    await console.api.post('/components', { component_code: CODE });
  });
  afterEach(() => {
    provider.isDenied = false;
    provider.response = undefined;
    provider.expiresIn = 3_600;
  });
  afterAll(() => provider.stop());

  test('Continue opens the sign-in in a new tab, which cannot reach the console; the dialog goes on by itself', async () => {
    const page = await console.open('/console/accounts');
    await press(page, 'Connect account');
    await dialog(page)
      .getByRole('button', { name: /^acme by a sign-in/ })
      .click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Work');
    provider.expiresIn = 1;
    await signIn(page, 'Work', { isLookedAt: true });
    await dialog(page).waitFor({ state: 'hidden' });
    expect(await accounts()).toMatchObject([{ app: 'acme', name: 'Work', kind: 'oauth', status: 'connected' }]);
  });

  test('a refusal is told with its reason, and “Try again” starts anew', async () => {
    provider.isDenied = true;
    const page = await console.open('/console/accounts');
    await press(page, 'Connect account');
    await dialog(page)
      .getByRole('button', { name: /^acme by a sign-in/ })
      .click();
    const opened = page.context().waitForEvent('page');
    await confirm(page, 'Continue');
    const tab = await opened;
    await tab.getByText('access_denied').waitFor();
    await looksRight(tab, 'connect-refused');
    await tab.close();
    await dialog(page)
      .getByRole('alert')
      .getByText(/^The account was not connected\. The access was not allowed\./)
      .waitFor();
    await looksRight(page, 'sign-in-denied');
    provider.isDenied = false;
    await signIn(page, 'acme', { button: 'Try again' });
    expect(await accounts()).toHaveLength(2);
  });

  test('the time for a sign-in ends in the dialog, too', async () => {
    const page = await console.open('/console/accounts');
    let status = 'waiting';
    await page.route('**/v1/accounts/connect/*', (route) => route.fulfill({ json: { data: { status } } }));
    await press(page, 'Connect account');
    await dialog(page)
      .getByRole('button', { name: /^acme by a sign-in/ })
      .click();
    await confirm(page, 'Continue');
    await dialog(page).getByText('Waiting for the sign-in').waitFor();
    await looksRight(page, 'sign-in-waiting');
    status = 'expired';
    await dialog(page).getByRole('alert').getByText('The account was not connected in time.').waitFor();
    await looksRight(page, 'sign-in-expired');
    await dialog(page).getByRole('button', { name: 'Try again', exact: true }).waitFor();
  });

  test('values that the addresses of a provider need are asked for, and refused with the sentence of the API', async () => {
    const refused = await console.api.post('/accounts/connect', {
      app: 'shop',
      parameters: { shop: 'a/b' },
    });
    expect(refused.status).toBe(400);
    const page = await console.open('/console/accounts');
    await press(page, 'Connect account');
    await dialog(page)
      .getByRole('button', { name: /^shop by a sign-in/ })
      .click();
    await dialog(page).getByRole('textbox', { name: 'shop' }).fill('a/b');
    await confirm(page, 'Continue');
    await dialog(page).getByRole('alert').getByText(refused.body.error).waitFor();
    await looksRight(page, 'sign-in-parameters');
  });

  test('an account that needs a new sign-in stands on the Overview, and Reconnect connects it in place', async () => {
    const [, account] = await accounts();
    // Its token has expired, and the provider has revoked it.
    provider.response = () => ({ status: 400, body: { error: 'invalid_grant' } });
    const { body } = await console.api.post('/sources', {
      component_code: CODE,
      configured_props: { acme: { authProvisionId: account.id } },
    });
    await console.api.post(`/sources/${body.data.id}/run`, {});
    await expect.poll(async () => (await accounts())[1].status).toBe('needs_reconnect');
    provider.response = undefined;
    const page = await console.open('/console');
    await page.getByRole('link', { name: 'Work (acme)' }).waitFor();
    await looksRight(page, 'overview-account');
    await page.getByRole('link', { name: 'Work (acme)' }).click();
    const row = page.getByRole('table', { name: 'Accounts' }).getByRole('row').filter({ hasText: 'Work' });
    await row.getByText('Needs a new sign-in', { exact: true }).waitFor();
    await looksRight(page, 'account-needs-sign-in');
    await chooseAction(page, 'Reconnect', 'Actions of Work');
    await signIn(page, 'Work');
    await row.getByText('Connected', { exact: true }).waitFor();
    expect((await accounts())[1]).toMatchObject({ id: account.id, name: 'Work', status: 'connected' });
  });

  test('Connect… in the form of a new source selects the account that the sign-in has connected', async () => {
    const page = await console.open('/console/sources/new?key=mails');
    const picker = page.getByRole('combobox', { name: 'acme' });
    await picker.waitFor();
    await press(page, 'Connect…');
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('For mails');
    await signIn(page, 'For mails');
    const [newest] = await accounts();
    expect(await picker.inputValue()).toBe(newest.id);
    await press(page, 'Create source');
    await page.getByRole('heading', { level: 1, name: 'mails' }).waitFor();
    expect((await accounts())[0]).toMatchObject({ id: newest.id, used_by: 1 });
  });
});
