import { expect, test } from 'vitest';
import { chooseAction, describeConsole } from '../../support/console-browser.ts';
import { notReachedByTab } from '../../support/reached-by-tab.ts';
import { looksRight } from '../../support/looks-right.ts';
import { Receiver } from '../../support/receiver.ts';

describeConsole('the page of a portal link', (console) => {
  let receiver: Receiver;
  let id = '';
  const linkOf = async (settings: object = {}): Promise<string> => {
    const { body } = await console.api.post('/webhooks/portal_links', { webhook_id: id, ...settings });
    return String(body.data.url).replace(console.cloud.origin, '');
  };

  test('a webhook with deliveries is there', async () => {
    receiver = await Receiver.start();
    id = (await console.api.post('/webhooks', { url: receiver.url, name: 'orders' })).body.data.id;
    receiver.respond = () => ({ status: 500, body: 'no room' });
    await console.api.post(`/webhooks/${id}/test`, { order: 7 });
    receiver.respond = () => ({ status: 200 });
  });

  test.each([
    ['a light colour', { name: 'Acme', color: '#ffd400' }],
    ['a dark colour', { name: 'Acme', color: '#0b6e4f' }],
    ['no name and no colour', {}],
  ])('is accessible and fits, with %s', async (what, settings) => {
    const page = await console.open(await linkOf(settings), { isSignedOut: true });
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    await looksRight(page, `portal-${what.replaceAll(' ', '-')}`);
  });

  test('a customer changes the address, tests it, sees a failure with its response, and gets a secret', async () => {
    const page = await console.open(await linkOf({ name: 'Acme' }), { isSignedOut: true });
    await expect.poll(() => page.title()).toBe('Acme');
    expect(page.url()).not.toContain('pt_');
    await page.getByLabel('URL').fill(`${receiver.url}/new`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect.poll(() => receiver.received.at(-1)?.url).toBe('/hook/new');
    await page.getByRole('row').filter({ hasText: '500' }).getByRole('button').click();
    await page.getByRole('dialog').getByText('no room').waitFor();
    await page.keyboard.press('Escape');
    const setUrl = async (url: string) => console.api.put(`/webhooks/${id}`, { url });
    await setUrl(`${receiver.url}/other`);
    await expect.poll(() => page.getByLabel('URL').inputValue()).toBe(`${receiver.url}/other`);
    await page.getByLabel('URL').fill('example.org');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('url').waitFor();
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled. Events are held.').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Enabled. What was held').waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText(/^whsec_/).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    expect(await page.getByText(/whsec_/).count()).toBe(0);
  });

  test('is used by keyboard alone, also its dialog of a delivery, which is accessible', async () => {
    const page = await console.open(await linkOf(), { isSignedOut: true });
    const opener = page.getByRole('row').filter({ hasText: '500' }).getByRole('button');
    await opener.waitFor();
    expect(await notReachedByTab(page)).toEqual([]);
    await opener.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delivery', exact: true });
    await dialog.getByText('no room').waitFor();
    expect(await notReachedByTab(page)).toEqual([]);
    await looksRight(page, 'portal-delivery');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    // A telephone has no Escape.
    await opener.click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  test('a second link in the same tab takes the place of the first, and nothing of it stays', async () => {
    const page = await console.open(await linkOf({ name: 'Acme', color: '#ffd400' }), { isSignedOut: true });
    await page.getByText('Acme').waitFor();
    await page.goto(console.cloud.origin + (await linkOf()));
    await expect.poll(() => page.title()).toBe('Webhook');
    await page.getByRole('heading', { name: 'orders' }).waitFor();
    expect(await page.getByText('Acme').count()).toBe(0);
    expect(await page.evaluate(`document.documentElement.style.getPropertyValue('--portal')`)).toBe('');
  });

  test('an event is sent once more from its dialog, which closes', async () => {
    const code = `export default { name: 'Orders', version: '0.0.1', props: { http: '$.interface.http' },
      async run({ body }) { this.$emit(body); } };`;
    const source = (await console.api.post('/sources', { component_code: code })).body.data;
    await console.api.call('POST', '/subscriptions', { query: { emitter_id: source.id, listener_id: id } });
    await console.api.post(`/sources/${source.id}/run`, { event: { body: { order: 8 } } });
    const page = await console.open(await linkOf(), { isSignedOut: true });
    const opener = page.getByRole('row').filter({ hasText: 'default' }).getByRole('button');
    await opener.click();
    const count = receiver.received.length;
    await page.getByRole('dialog').getByRole('button', { name: 'Redeliver' }).click();
    await page.getByText('It is sent once more.').waitFor();
    await page.getByRole('dialog', { name: 'Delivery' }).waitFor({ state: 'hidden' });
    await expect.poll(() => receiver.received.length).toBe(count + 1);
  });

  test('the menu of a webhook makes a link', async () => {
    const page = await console.open(`/console/webhooks/${id}`);
    await chooseAction(page, 'Portal link');
    const card = page.getByRole('region', { name: 'Portal link' });
    await page.goto(String(await card.getByText('/portal#pt_').textContent()));
    await page.getByRole('heading', { name: 'orders' }).waitFor();
  });

  test('a link that has ended says so, and leaves the key of the console alone', async () => {
    const page = await console.open('/console', { isSignedOut: true });
    await page.evaluate(`sessionStorage.setItem('tributary.key', ${JSON.stringify(console.cloud.key)})`);
    const claims = { webhookId: id, name: 'A bank', until: Date.now() + 60_000 };
    const token = `pt_${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'a'.repeat(43)}`;
    const shown: string[] = [];
    await page.exposeFunction('show', (text: string) => shown.push(text));
    await page.addInitScript(
      `new MutationObserver(() => show(document.body?.innerText ?? '')).observe(document, { childList: true, subtree: true })`,
    );
    await page.goto(`${console.cloud.origin}/portal#${token}`);
    await page.getByText('Ask the one who sent it for a new one.').waitFor();
    // The text of a token is shown after the service has taken it.
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.join(' ')).not.toContain('A bank');
    await page.goto(`${console.cloud.origin}/console/me`);
    await page.getByRole('heading', { name: 'Me', exact: true }).waitFor();
    await receiver.stop();
  });
});
