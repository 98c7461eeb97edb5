import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { emitter } from '../../support/components.ts';
import { chooseAction, describeConsole, holdRequests, intercepting, loaded } from '../../support/console-browser.ts';
import { Receiver } from '../../support/receiver.ts';

const RELOADING = `export default { name: 'Kinds', version: '1', props: {
    kind: { type: 'string', label: 'Kind', reloadProps: true, options: ['plain', 'first', 'second'], default: 'plain' },
    note: { type: 'string', label: 'Note', optional: true } },
  additionalProps() { return this.kind === 'plain' ? {} : { [this.kind]: { type: 'string', label: 'Field ' + this.kind } }; },
  run() {} };`;

const said = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();
const textbox = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Holds the response of the first request to an address that a test chooses; the service has answered it before. */
async function holdFirstResponse(page: Page, address: string, isChosen: (body: string) => boolean) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  let isDelivered = false;
  await page.route(address, async (route) => {
    if (isHeld || !isChosen(route.request().postData() ?? '')) {
      await route.continue();
      return;
    }
    isHeld = true;
    const response = await route.fetch();
    await released;
    await route.fulfill({ response }).catch(() => undefined);
    isDelivered = true;
  });
  await intercepting(page);
  return {
    held: () => expect.poll(() => isHeld).toBe(true),
    async release() {
      release();
      await expect.poll(() => isDelivered).toBe(true);
    },
  };
}

describeConsole('a response that comes late', (console) => {
  const made = { source: '', webhook: '', component: '' };
  beforeAll(async () => {
    const receiver = await Receiver.start();
    const { api } = console;
    const source = (await api.post('/sources', { component_code: RELOADING, name: 'Kinds' })).body.data;
    const query = { url: receiver.url, name: 'Billing' };
    const webhook = (await api.post('/webhooks', undefined, { query })).body.data;
    Object.assign(made, { source: source.id, component: source.component_id, webhook: webhook.id });
    return () => receiver.stop();
  });

  test('does not replace the fields that belong to a newer value of a prop', async () => {
    for (const path of [`/console/sources/${made.source}/props`, '/console/sources/new']) {
      const page = await console.open(path);
      await loaded(page);
      if (path.endsWith('new')) {
        await page.locator('.cm-content').waitFor();
        await textbox(page, 'Code').fill(RELOADING);
        await textbox(page, 'Name').focus();
      }
      const kind = page.getByRole('combobox', { name: 'Kind' });
      await kind.waitFor();
      const first = await holdFirstResponse(page, '**/components/configure', (body) => body.includes('first'));
      await kind.selectOption('first');
      await first.held();
      await kind.selectOption('second');
      await textbox(page, 'Field second').waitFor();
      await first.release();
      await textbox(page, 'Note').fill('A later change');
      await expect.poll(() => textbox(page, 'Field second').count()).toBe(1);
      expect(await textbox(page, 'Field first').count()).toBe(0);
    }
  });

  test('of a save keeps what was typed in the meantime as unsaved', async () => {
    for (const [path, first, second, address] of [
      [`/console/webhooks/${made.webhook}/settings`, 'Name', 'Description', '**/webhooks/*'],
      [`/console/sources/${made.source}/props`, 'Note', 'Note', '**/sources/*'],
    ] as const) {
      const page = await console.open(path);
      await loaded(page);
      const put = await holdRequests(page, 'PUT', address);
      await textbox(page, first).fill('Saved');
      await button(page, 'Save').click();
      await expect.poll(() => put.count).toBe(1);
      await textbox(page, second).fill('Not yet saved');
      put.release();
      await said(page, 'Saved.');
      expect(await textbox(page, second).inputValue()).toBe('Not yet saved');
      await page.getByText('not saved', { exact: true }).waitFor();
      await button(page, 'Save').click();
      await expect.poll(() => put.count).toBe(2);
      await page.getByText('not saved', { exact: true }).waitFor({ state: 'detached' });
      expect(await textbox(page, second).inputValue()).toBe('Not yet saved');
    }
  });

  test('of a read from before an update does not show the state from before it', async () => {
    const page = await console.open(`/console/webhooks/${made.webhook}`);
    await loaded(page);
    await button(page, 'More actions').waitFor();
    const read = await holdFirstResponse(page, `**/webhooks/${made.webhook}`, (body) => body === '');
    await read.held();
    // Everything after the first read is answered by nobody, so that a newer one does not hide it.
    await page.route(`**/webhooks/${made.webhook}`, (route) =>
      route.request().method() === 'GET' ? undefined : route.fallback(),
    );
    await chooseAction(page, 'Disable');
    await said(page, 'Disabled.');
    await read.release();
    await page.getByRole('link', { name: 'Verify' }).click();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByRole('tabpanel').getByText('def verify_webhook').waitFor();
    await button(page, 'More actions').click();
    await expect.poll(() => page.getByRole('menuitem', { name: 'Enable' }).count()).toBe(1);
  });

  test('does not untick the rows that were ticked after the action began', async () => {
    for (const name of ['One', 'Two']) await console.api.post('/sources', { component_code: emitter(), name });
    const page = await console.open('/console/sources');
    await loaded(page);
    const put = await holdRequests(page, 'PUT', '**/sources/*');
    await page.getByRole('checkbox', { name: 'Choose One' }).check();
    await button(page, 'Disable 1 chosen').click();
    await expect.poll(() => put.count).toBe(1);
    await page.getByRole('checkbox', { name: 'Choose Two' }).check();
    put.release();
    await said(page, '1 source is disabled.');
    await expect.poll(() => page.getByRole('checkbox', { name: 'Choose Two' }).isChecked()).toBe(true);
    await expect.poll(() => page.getByRole('checkbox', { name: 'Choose One' }).isChecked()).toBe(false);
  });

  test('with the options of a list keeps the text that was typed before it, after Enter too', async () => {
    const { body } = await console.api.post('/sources', { component_code: emitter(), name: 'Orders' });
    await console.api.post(`/sources/${body.data.id}/run`, { emits: [[{ n: 1 }]] });
    // Other tests rename theirs.
    await console.api.post('/webhooks', { url: 'https://example.org/', name: 'Ledger' });
    // The dots of the navigation read the same list, by health.
    const page = await console.open('/guide');
    const names = await holdRequests(page, 'GET', /\/users\/me\/webhooks\?(?!.*health=)/);
    await page.goto(`${console.cloud.origin}/console/sources/${body.data.id}`);
    await loaded(page);
    await page.getByRole('list', { name: 'Events' }).getByRole('button').first().click();
    await page.getByRole('button', { name: 'Send again, edited…' }).click();
    const box = page.getByRole('combobox', { name: 'To' });
    await box.fill('Ledg');
    await box.press('Enter');
    await expect.poll(() => names.count).toBe(1);
    expect(await box.inputValue()).toBe('Ledg');
    names.release();
    await page.getByRole('option', { name: 'Ledger' }).waitFor();
    await box.press('Enter');
    expect(await box.inputValue()).toBe('Ledger');
  });

  test('with a problem of a prop does not take the keyboard from what a person types by then', async () => {
    const page = await console.open('/console/sources/new');
    await loaded(page);
    await page.locator('.cm-content').waitFor();
    const build = await holdRequests(page, 'POST', '**/components');
    await textbox(page, 'Code').fill(RELOADING.replace(`label: 'Note', optional: true`, `label: 'Note'`));
    await button(page, 'Create source').click();
    await textbox(page, 'Name').fill('Morning');
    await expect.poll(() => build.count).toBe(1);
    build.release();
    await page.getByText('Note needs a value.').waitFor();
    await page.keyboard.type(' run');
    expect(await textbox(page, 'Name').inputValue()).toBe('Morning run');
  });

  test('of the editor keeps the caret of the text box, and takes no focus from elsewhere', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    const program = await holdRequests(page, 'GET', '**/code-mirror-*');
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await page.getByRole('link', { name: 'New source' }).click();
    const box = page.locator('textarea[aria-label="Code"]');
    await box.fill('ab');
    await box.press('ArrowLeft');
    program.release();
    await page.locator('.cm-content').waitFor();
    await page.keyboard.type('X');
    await expect.poll(() => page.locator('.cm-content').innerText()).toBe('aXb');

    const other = await console.open(`/console/me`);
    await loaded(other);
    const again = await holdRequests(other, 'GET', '**/code-mirror-*');
    await other.goto(`${console.cloud.origin}/console/sources/${made.source}/code?file=index.mjs&line=1`);
    await expect.poll(() => again.count).toBe(1);
    await button(other, 'Save').focus();
    again.release();
    await other.locator('.cm-content').waitFor();
    await expect.poll(() => button(other, 'Save').and(other.locator(':focus')).count()).toBe(1);
  });
});
