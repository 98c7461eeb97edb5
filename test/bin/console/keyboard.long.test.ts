import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConsole } from '../../support/console-browser.ts';
import { Receiver } from '../../support/receiver.ts';

const ECHO = `export default { name: 'Echo', version: '1', props: { http: '$.interface.http', greeting: { type: 'string', label: 'Greeting', default: 'Hello' } }, run({ body }) { this.$emit(body); } };`;

/** The most elements of a page before the one that is looked for. */
const MAX_TABS = 60;

type Role = 'link' | 'button' | 'textbox' | 'combobox' | 'tab';

/** A person with a keyboard and no mouse. */
function keyboardOf(page: Page) {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focus = async (role: Role, name: string | RegExp) => {
    const target = page.getByRole(role, { name, exact: true }).first();
    await target.waitFor();
    for (let n = 0; n < MAX_TABS; n += 1) {
      if ((await target.and(page.locator(':focus')).count()) === 1) return;
      await press('Tab');
    }
    throw new Error(`Tab does not reach ${role} ${String(name)}`);
  };
  return {
    press,
    focus,
    type: (text: string) => page.keyboard.type(text),
    async use(role: Role, name: string | RegExp) {
      await focus(role, name);
      await press('Enter');
    },
    async fill(role: 'textbox' | 'combobox', name: string, text: string) {
      await focus(role, name);
      await page.keyboard.type(text);
    },
    /** Opens the ⋯ menu, and goes down to an action. */
    async choose(action: string) {
      await focus('button', 'More actions');
      await press('Enter');
      const item = page.getByRole('menuitem', { name: action, exact: true });
      await item.waitFor();
      for (let n = 0; n < MAX_TABS; n += 1) {
        if ((await item.and(page.locator(':focus')).count()) === 1) return press('Enter');
        await press('ArrowDown');
      }
      throw new Error(`The arrow keys do not reach ${action}`);
    },
    /** Cancels the dialog of a deletion, and confirms it the next time. */
    async confirmTheSecondTime(action?: string) {
      const dialog = page.getByRole('dialog');
      await dialog.locator(':focus').waitFor();
      await press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      // The focus is back on the button that opened the dialog.
      await page.locator('button:focus').waitFor();
      if (action === undefined) await press('Enter');
      else await this.choose(action);
      await dialog.locator(':focus').waitFor();
      await press('Tab', 'Enter');
    },
  };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

describeConsole('a person without a mouse', (console) => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.stop());

  test('creates a source from a starting point, runs it, sees its event, and deletes it', async () => {
    const page = await console.open('/console/sources');
    const keyboard = keyboardOf(page);
    await keyboard.use('link', 'New source');
    await keyboard.fill('combobox', 'Start from', 'cron');
    await page.getByText('Building the component').waitFor({ state: 'hidden' });
    await keyboard.fill('textbox', 'Name', 'Morning');
    await keyboard.press('Enter');
    await heading(page, 'Morning');
    await page.getByText('No events yet.').waitFor();
    await keyboard.use('button', 'Run');
    await said(page, 'The run was accepted');
    await keyboard.use('button', /Run 1$/);
    await page.getByRole('figure', { name: 'Event data' }).getByText('"count": 1').waitFor();
    await keyboard.press('Shift+Tab');
    await keyboard.use('button', 'Run');
    await page.getByRole('button', { name: /Run 2$/ }).waitFor();
    // The focus stays on a button while its action is under way.
    await keyboard.press('Enter');
    await page.getByRole('button', { name: /Run 3$/ }).waitFor();
    await keyboard.choose('Delete');
    await keyboard.confirmTheSecondTime('Delete');
    await said(page, 'The source Morning was deleted.');
    await heading(page, 'Sources');
    expect((await console.api.get('/users/me/sources')).body.data).toEqual([]);
  });

  test('changes the code and the props of a source', async () => {
    const { body } = await console.api.post('/sources', { component_code: ECHO, name: 'Echo' });
    const page = await console.open(`/console/sources/${body.data.id}`);
    const keyboard = keyboardOf(page);
    await keyboard.use('link', 'Code');
    await page.locator('.cm-content').waitFor();
    await keyboard.focus('textbox', 'Code');
    await keyboard.press('Control+Home');
    await keyboard.type('// changed\n');
    await keyboard.use('button', 'Save');
    await said(page, 'Saved. The source runs the new code.');
    // The focus stays on the button of a form that is being sent.
    await page.getByRole('button', { name: 'Save' }).and(page.locator(':focus')).waitFor();
    await keyboard.use('link', 'Props');
    await keyboard.focus('textbox', 'Greeting');
    await keyboard.press('Control+a');
    await keyboard.type('Ahoy');
    await keyboard.press('Enter');
    await said(page, 'Saved. The source runs with the new props.');
    const { data } = (await console.api.get(`/sources/${body.data.id}`)).body;
    expect(data.configured_props.greeting).toBe('Ahoy');
    const component = await console.api.get(`/components/${data.component_id}`);
    expect(component.body.data.code).toBe(`// changed\n${ECHO}`);
  });

  test('creates a webhook, tests it, sees its delivery, switches it off and on, and deletes it', async () => {
    const page = await console.open('/console/webhooks');
    const keyboard = keyboardOf(page);
    await keyboard.use('link', 'New webhook');
    await keyboard.fill('textbox', 'URL', receiver.url);
    await keyboard.fill('textbox', 'Name', 'Shop');
    await keyboard.press('Enter');
    await said(page, 'The webhook was created.');
    await keyboard.use('button', 'Copy');
    await said(page, 'Copied.');
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^whsec_/);
    await keyboard.use('link', 'Open the webhook');
    await heading(page, 'Shop');
    await keyboard.use('button', 'Send test');
    await said(page, 'The test was delivered');
    await keyboard.choose('Disable');
    await said(page, 'Disabled.');
    await keyboard.choose('Enable');
    await said(page, 'Enabled.');
    await keyboard.use('link', 'Verify');
    await keyboard.focus('tab', 'JavaScript');
    await keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('def verify_webhook').waitFor();
    await keyboard.use('link', 'Deliveries');
    await keyboard.use('link', /^[\w-]{20,}$/);
    await heading(page, 'test → Shop');
    await page.getByRole('table', { name: 'Attempts' }).waitFor();
    await keyboard.use('link', 'Shop');
    await heading(page, 'Shop');
    // The keyboard begins at the top of a new page.
    await page.locator('#main:focus').waitFor();
    await keyboard.choose('Delete');
    await keyboard.confirmTheSecondTime('Delete');
    await said(page, 'Shop was deleted.');
    expect((await console.api.get('/users/me/webhooks')).body.data).toEqual([]);
  });

  test('adds a subscription, sees its events arrive, and removes it', async () => {
    const source = (await console.api.get('/users/me/sources')).body.data[0];
    await console.api.post('/webhooks', { url: receiver.url, name: 'Billing' });
    const page = await console.open('/console/subscriptions');
    const keyboard = keyboardOf(page);
    await keyboard.use('button', 'New subscription');
    await keyboard.fill('combobox', 'Emitter', 'Echo');
    await keyboard.fill('combobox', 'Listener', 'Billing');
    await keyboard.fill('textbox', 'Filter', '{"paid": [true]}');
    await keyboard.use('button', 'Add subscription');
    await said(page, 'The subscription was added.');
    for (const paid of [false, true])
      await fetch(source.endpoint_url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ paid }),
      });
    await expect.poll(() => receiver.received.at(-1)?.body).toBe('{"paid":true}');
    await keyboard.use('button', 'Remove');
    await keyboard.confirmTheSecondTime();
    await said(page, 'The subscription was removed.');
    await page.getByText('No subscriptions yet.').waitFor();
    // The button went with its row: the keyboard begins at the top of the page.
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
    expect((await console.api.get('/users/me/subscriptions')).body.data).toEqual([]);
  });
});
