import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseAction, describeConsole, holdRequests } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';

const ECHO = `export default { name: 'Echo', version: '1', props: { http: '$.interface.http' }, run({ body }) { this.$emit(body); } };`;
const MARKUP = '<img src=x onerror="window.attacked=1"><script>window.attacked=1</script>';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const status = (page: Page) => page.getByRole('status');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
async function recover(page: Page): Promise<void> {
  await button(page, 'Recover…').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Recover', exact: true }).click();
}
const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).getByRole('row');

describeConsole('the pages of webhooks', (console) => {
  let receiver: Receiver;
  let endpoint: string;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.stop());

  const webhookNamed = async (name: string) => (await console.api.get('/users/me/webhooks', { q: name })).body.data[0];
  const openWebhook = async (name: string, query = '') =>
    console.open(`/console/webhooks/${(await webhookNamed(name)).id}${query}`);
  const send = (body: object) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('a person creates one webhook, gets its secret once, and sees what the API refuses', async () => {
    const page = await console.open('/console/webhooks');
    await page.getByText('No webhooks yet.').waitFor();
    await page.getByRole('link', { name: 'New webhook', exact: true }).click();
    await heading(page, 'New webhook').waitFor();
    await button(page, 'Create webhook').click();
    // The refusal stands at the box, and goes when the address is corrected.
    const field = page.locator('.field').filter({ has: page.getByRole('textbox', { name: 'URL' }) });
    await field.getByRole('alert').getByText('url').waitFor();
    await page.getByRole('textbox', { name: 'URL' }).press('h');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    const refusal = await console.api.post('/webhooks', { url: 'example.org' });
    await page.getByRole('textbox', { name: 'URL' }).fill('example.org');
    await button(page, 'Create webhook').click();
    await page.getByRole('alert').getByText(refusal.body.error).waitFor();
    await looksRight(page, 'new-webhook-refused');
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('Shop');
    await page.getByRole('textbox', { name: 'Description' }).fill(MARKUP);
    const held = await holdRequests(page, 'POST', '**/v1/webhooks**');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    held.release();
    await button(page, 'Copy').click();
    await status(page).getByText('Copied.').waitFor();
    const secret = await page.evaluate('navigator.clipboard.readText()');
    expect(secret).toMatch(/^whsec_/);
    expect(held.count).toBe(1);
    await page.getByRole('heading', { name: 'Verify the signature' }).waitFor();
    await looksRight(page, 'webhook-created');
    await expect.poll(() => page.getByText(String(secret)).count()).toBe(1);
    expect(await page.evaluate('JSON.stringify([sessionStorage, localStorage, location.href])')).not.toContain(secret);
    await page.getByRole('link', { name: 'Open the webhook' }).click();
    await heading(page, 'Shop').waitFor();
    await page.getByText('No deliveries yet.').waitFor();
    expect(await page.getByText(String(secret)).count()).toBe(0);
  });

  test('Send test shows what the webhook answered, as text', async () => {
    receiver.respond = () => ({ status: 500, body: MARKUP });
    const page = await openWebhook('Shop');
    await button(page, 'Send test').click();
    await status(page).getByText('The test was rejected: status 500').waitFor();
    await page.getByLabel('Response to the test').getByText(MARKUP).waitFor();
    await rows(page).getByText('failed').waitFor();
    await page.getByRole('link', { name: /^[\w-]{20,}$/ }).click();
    await heading(page, 'test → Shop').waitFor();
    await page.getByRole('table', { name: 'Attempts' }).getByText(MARKUP).waitFor();
    await page.getByLabel('Event', { exact: true }).getByText('"test": true').waitFor();
    const refusal = 'A test is not sent again: test the webhook once more.';
    await button(page, 'Redeliver').click();
    await page.getByRole('alert').getByText(refusal).waitFor();
    await looksRight(page, 'delivery-refused');
    expect(await page.evaluate('window.attacked')).toBeUndefined();
  });

  test('a delivery appears by itself; the combobox Status stands in the address', async () => {
    const source = (await console.api.post('/sources', { component_code: ECHO })).body.data;
    endpoint = source.endpoint_url;
    const { id } = await webhookNamed('Shop');
    const query = { emitter_id: source.id, listener_id: id };
    await console.api.post('/subscriptions', undefined, { query });
    receiver.respond = () => ({ status: 200 });
    const page = await openWebhook('Shop');
    await rows(page).first().waitFor();
    await send({ text: MARKUP });
    await rows(page).getByText('delivered').first().waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('failed');
    await page.waitForURL(/\?status=failed$/);
    await rows(page).getByText('test').waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.goBack();
    await rows(page).getByText('default').first().waitFor();
    await page.getByRole('link', { name: /^\d+-\d+$/ }).click();
    await page.getByRole('heading', { level: 1, name: /^<img .* → Shop$/ }).waitFor();
    await page.getByLabel('Event', { exact: true }).getByText(JSON.stringify(MARKUP)).waitFor();
    await page.getByRole('link', { name: 'Open the event' }).click();
    await page.getByLabel('Event data', { exact: true }).getByText(JSON.stringify(MARKUP)).waitFor();
    await page.goBack();
    const before = receiver.received.length;
    await button(page, 'Redeliver').click();
    await status(page).getByText('sent once more').waitFor();
    await expect.poll(() => receiver.received.length).toBe(before + 1);
    await page.getByRole('table', { name: 'Attempts' }).getByRole('rowheader', { name: '2' }).waitFor();
  });

  test('Disable holds events, Recover refuses until Enable, then sends them and shows its progress', async () => {
    const page = await openWebhook('Shop');
    const held = await holdRequests(page, 'PUT', '**/v1/webhooks/**');
    await chooseAction(page, 'Disable');
    // The menu shows that the action is under way, and takes no other one.
    const menu = page.getByRole('button', { name: 'More actions' });
    await menu.and(page.locator('[aria-busy="true"]')).waitFor();
    await page.getByText('Disabling…').waitFor({ state: 'attached' });
    await chooseAction(page, 'Disable');
    held.release();
    await menu.and(page.locator('[aria-busy="false"]')).waitFor();
    expect(held.count).toBe(1);
    await status(page).getByText('Its events are held.').waitFor();
    await send({ n: 1 });
    await send({ n: 2 });
    await page.getByText('2 held.').waitFor();
    await recover(page);
    const { id } = await webhookNamed('Shop');
    const refusal = await console.api.post(`/webhooks/${id}/recover`, { since: Date.now() - 1_000 });
    await page.getByRole('alert').getByText(refusal.body.error).waitFor();
    await looksRight(page, 'recover-refused');
    await chooseAction(page, 'Enable');
    await status(page).getByText('Enabled.').waitFor();
    const before = receiver.received.length;
    await recover(page);
    await page.getByText('Recovered: 2 of 2 sent').waitFor();
    await expect.poll(() => page.getByRole('progressbar', { name: 'Recovery' }).count()).toBe(1);
    await looksRight(page, 'recovered');
    expect(receiver.received.length).toBe(before + 2);
  });

  test('Redeliver shown sends each delivery of the list once more, and no test', async () => {
    const page = await openWebhook('Shop');
    await rows(page).getByText('default').nth(2).waitFor();
    const before = receiver.received.length;
    await button(page, 'Redeliver shown').click();
    await status(page).getByText('3 deliveries are sent again.').waitFor();
    await expect.poll(() => receiver.received.length).toBe(before + 3);
  });

  test('Rotate secret shows a new secret, which can revoke all others', async () => {
    const page = await openWebhook('Shop');
    await chooseAction(page, 'Rotate secret');
    const secret = page.getByRole('region', { name: 'Signing secret' }).locator('code');
    await page.getByRole('tabpanel').getByText('webhook-signature').waitFor();
    const first = await secret.textContent();
    await button(page, 'Make another and revoke all others').click();
    await status(page).getByText('Earlier secrets no longer sign.').waitFor();
    expect(await secret.textContent()).not.toBe(first);
  });

  test.each(['JavaScript', 'Python', 'Go', 'Ruby'])('the tab %s has code that verifies', async (language) => {
    const page = await openWebhook('Shop', '/verify');
    await page.getByRole('tab', { name: language, exact: true }).click();
    await page.getByRole('tabpanel').getByText('webhook-signature').waitFor();
    await looksRight(page, `verify-${language}`);
    await button(page, 'Copy code').click();
    await status(page).getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/hmac/i);
  });

  test('Delete asks first', async () => {
    const page = await openWebhook('Shop');
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await chooseAction(page, 'Delete');
    await page.getByRole('dialog').waitFor();
    // The second click comes before the `close` event of the dialog.
    await page.evaluate(`
      const dialog = document.querySelector('dialog[open]');
      const opener = dialog.closest('.menu').querySelector('[role="menuitem"]:last-child');
      dialog.close = () => {
        delete dialog.close;
        dialog.close();
        opener.click();
      };
    `);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await heading(page, 'Webhooks').waitFor();
    await status(page).getByText('Shop was deleted.').waitFor();
    await page.getByText('No webhooks yet.').waitFor();
  });

  test('an unknown webhook is the API’s sentence', async () => {
    const id = 'wh_000000000000000000000000';
    const { body } = await console.api.get(`/webhooks/${id}`);
    const page = await console.open(`/console/webhooks/${id}`);
    await page.getByRole('alert').getByText(body.error).waitFor();
  });
});
