import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { chooseAction, describeConsole, holdRequests, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { emitter } from '../../support/components.ts';

const keyOfTab = (page: Page) => page.evaluate<string>(`sessionStorage.getItem('tributary.key')`);
const shownKey = (page: Page) => page.getByRole('region', { name: 'New key' }).locator('code').textContent();
const row = (page: Page, name: string) => page.getByRole('table', { name: 'API keys' }).getByRole('row', { name });

describeConsole('API keys on the page Me', (console) => {
  test('a key is created, shown once, and deleted', async () => {
    const page = await console.open('/console/me');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await dialog.getByRole('checkbox', { name: /^Read/ }).uncheck();
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Choose at least one scope.').waitFor();
    await dialog.getByRole('checkbox', { name: /^Send/ }).check();
    await dialog.getByRole('combobox', { name: 'Expires' }).selectOption('In 90 days');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await shownKey(page)) ?? '';
    const { body } = await console.api.as(key).get('/keys/current');
    expect(body.data).toMatchObject({ name: 'Shop', scopes: ['send'], expires_at_ms: expect.any(Number) as number });
    await row(page, 'Shop').getByText('send', { exact: true }).waitFor();
    await looksRight(page, 'keys-of-user');
    await page.reload();
    await row(page, 'Shop').waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    await chooseAction(page, 'Delete', 'Actions of Shop');
    await page.getByRole('dialog', { name: 'Delete Shop?' }).getByRole('button', { name: 'Delete' }).click();
    await row(page, 'Shop').waitFor({ state: 'detached' });
    expect((await console.api.get('/keys')).body.data).toHaveLength(1);
  });

  test('the card of a new key goes when the key is deleted, and not with another key', async () => {
    await console.api.post('/keys', { name: 'Shop', scopes: ['read'] });
    const page = await console.open('/console/me');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('New');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    for (const [name, cards] of [
      ['Shop', 1],
      ['New', 0],
    ] as const) {
      await chooseAction(page, 'Delete', `Actions of ${name}`);
      await page
        .getByRole('dialog', { name: `Delete ${name}?` })
        .getByRole('button', { name: 'Delete' })
        .click();
      await row(page, name).waitFor({ state: 'detached' });
      expect(await page.getByRole('region', { name: 'New key' }).count()).toBe(cards);
    }
  });

  test('the tab goes on with the new secret of its own key, which cannot be deleted', async () => {
    const { body } = await console.api.post('/keys', { name: 'Tab', scopes: ['read', 'manage'] });
    const page = await console.open('/console/me', { isSignedOut: true });
    await page.getByRole('textbox', { name: 'API key' }).fill(body.data.api_key);
    await page.keyboard.press('Enter');
    await row(page, 'Tab').getByText('this tab').waitFor();
    await page.getByRole('button', { name: 'Actions of Tab' }).click();
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Rotate key']);
    await page.keyboard.press('Escape');
    await chooseAction(page, 'Rotate key', 'Actions of Tab');
    const dialog = page.getByRole('dialog', { name: 'Rotate key' });
    await dialog.getByRole('combobox', { name: 'The old secret' }).selectOption('works for an hour more');
    await dialog.getByRole('button', { name: 'Rotate key' }).click();
    const next = (await shownKey(page)) ?? '';
    expect(next).not.toBe(body.data.api_key);
    await expect.poll(() => keyOfTab(page)).toBe(next);
    await row(page, 'Tab').getByText('this tab').waitFor();
    expect((await console.api.as(body.data.api_key).get('/keys/current')).body.data.overlap_until_ms).toBeGreaterThan(
      0,
    );
  });

  test('buttons that need a scope that the key lacks are disabled, and say so', async () => {
    const { body: source } = await console.api.post('/sources', { component_code: emitter() });
    const { body } = await console.api.post('/keys', { name: 'Reader', scopes: ['read'] });
    const page = await console.open(`/console/sources/${source.data.id}`, { isSignedOut: true });
    await page.getByRole('textbox', { name: 'API key' }).fill(body.data.api_key);
    await page.keyboard.press('Enter');
    await loaded(page);
    const lineOf = (scope: string) => page.getByText(`lacks the scope ${scope}. Buttons that need it are disabled.`);
    for (const scope of ['manage', 'send']) await lineOf(scope).waitFor();
    const disabled = async (name: string) => page.getByRole('button', { name, exact: true }).first().isDisabled();
    expect(await Promise.all(['Run', 'More actions'].map(disabled))).toEqual([true, true]);
    expect(await page.getByRole('button', { name: 'Run', exact: true }).getAttribute('title')).toBe(
      'Your API key lacks the scope send.',
    );
    await looksRight(page, 'reader');
    await page.goto(`${console.cloud.origin}/console/me`);
    await row(page, 'Reader').waitFor();
    await expect.poll(() => disabled('Create key')).toBe(true);

    const manager = await console.api.post('/keys', { name: 'Manager', scopes: ['read', 'manage'] });
    await page.goto(`${console.cloud.origin}/console/sources/${source.data.id}#key=${manager.body.data.api_key}`);
    await page.getByRole('button', { name: 'Use the key of the address' }).click();
    await lineOf('send').waitFor();
    expect(await lineOf('manage').count()).toBe(0);
    expect(await Promise.all(['Run', 'More actions'].map(disabled))).toEqual([true, false]);
  });

  test('changes are listed with their author, and a row opens with the fields before and after', async () => {
    const { body } = await console.api.post('/webhooks', { name: 'Orders' }, { query: { url: 'http://127.0.0.1:9/' } });
    await console.api.put(`/webhooks/${body.data.id}`, { name: 'Sales', headers: { 'x-key': 'secret' } });
    const page = await console.open('/console/me');
    const table = page.getByRole('table', { name: 'Changes' });
    const change = table.getByRole('row').filter({ hasText: 'updateWebhook' }).first();
    await change.getByText('First key').waitFor();
    await change.getByText('updateWebhook').click();
    await change.getByText('"Orders" → "Sales"').waitFor();
    await change.getByText('headers').waitFor();
    await looksRight(page, 'changes-of-user');
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create key' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Reader');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = (await shownKey(page)) ?? '';
    await table.getByRole('row').filter({ hasText: 'createKey' }).first().waitFor();
    const reading = await console.open('/console/me', { isSignedOut: true });
    await reading.getByRole('textbox', { name: 'API key' }).fill(key);
    await reading.keyboard.press('Enter');
    await reading.getByRole('region', { name: 'Changes' }).getByText('lacks the scope manage').waitFor();
    expect(await reading.getByRole('table', { name: 'Changes' }).count()).toBe(0);
  });

  test('changes are filtered by author, operation and time, and those that are shown are saved', async () => {
    const { body } = await console.api.post('/webhooks', { name: 'Bills' }, { query: { url: 'http://127.0.0.1:9/' } });
    for (const name of ['B', 'C']) await console.api.put(`/webhooks/${body.data.id}`, { name });
    const page = await console.open('/console/me');
    const changes = page.getByRole('region', { name: 'Changes' });
    const operations = async () => new Set(await changes.locator('tbody [data-name="Operation"]').allTextContents());
    await changes.getByText('updateWebhook').first().waitFor();
    await changes.getByRole('textbox', { name: 'Operation' }).fill('updateWebhook');
    await page.keyboard.press('Enter');
    await expect.poll(operations).toEqual(new Set(['updateWebhook']));
    await changes.getByRole('textbox', { name: 'By' }).fill('First key');
    await page.keyboard.press('Enter');
    await changes.getByRole('combobox', { name: 'Time' }).selectOption('15m');
    const count = await changes.locator('tbody tr').count();
    expect(count).toBeGreaterThanOrEqual(2);
    await changes.getByText(`${count} changes`).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      changes.getByRole('button', { name: 'Download shown' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('changes.jsonl');
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines).toHaveLength(count);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ operation: 'updateWebhook', after: { name: 'C' } });
    await looksRight(page, 'changes-filtered');

    await page.goto(`${console.cloud.origin}/console/me?by=nobody`);
    await changes.getByText('0 changes').waitFor();
    expect(await changes.getByRole('button', { name: 'Download shown' }).count()).toBe(0);
  });

  test('a key without the scope manage is never asked for changes', async () => {
    const { api_key: key } = (await console.api.post('/keys', { name: 'Looker', scopes: ['read'] })).body.data;
    const page = await console.open('/console/nothing', { isSignedOut: true });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.context().addInitScript(`sessionStorage.setItem('tributary.key', ${JSON.stringify(key)})`);
    const current = await holdRequests(page, 'GET', '**/v1/keys/current');
    await page.goto(`${console.cloud.origin}/console/me`);
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.waitFor();
    await expect.poll(() => asked.some((path) => path.endsWith('/users/me'))).toBe(true);
    await page.getByText('E-mail').waitFor();
    current.release();
    await changes.getByText('lacks the scope manage').waitFor();
    expect(asked.filter((path) => path.endsWith('/audit'))).toEqual([]);
  });
});
