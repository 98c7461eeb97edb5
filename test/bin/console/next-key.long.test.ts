import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, holdFrames, holdRequests, loaded } from '../../support/console-browser.ts';
import { until } from '../../support/until.ts';

const CODE = `export default { name: 'Greeter', version: '1', props: {
  http: '$.interface.http', greeting: { type: 'string', label: 'Greeting' } }, run({ body }) { this.$emit(body); } };`;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });
const focused = (page: Page) => page.evaluate('document.activeElement.id');

describeConsole('a key or a click right after another one, on a slow machine', (console) => {
  const made = { source: '', component: '' };
  beforeAll(async () => {
    const props = { component_code: CODE, name: 'Greetings', configured_props: { greeting: 'Hello' } };
    const source = (await console.api.post('/sources', props)).body.data;
    Object.assign(made, { source: source.id, component: source.component_id });
    await console.api.post(`/sources/${source.id}/run`, { body: { a: 1 } });
    await until('the page has filters', async () => {
      const { body } = await console.api.get(`/sources/${source.id}/event_summaries`);
      return body.data.length === 1;
    });
  });

  /** Opens a page that draws no frame after its first one. */
  async function openWithoutFrames(path: string): Promise<Page> {
    const page = await console.open(path);
    await loaded(page);
    await page.addInitScript(
      'globalThis.requestAnimationFrame = () => 0; { const after = setTimeout; globalThis.setTimeout = (task, ms) => ms === 35 ? 0 : after(task, ms); }',
    );
    await page.reload();
    return page;
  }

  test('a key in the address is asked about as soon as the page is drawn', async () => {
    const page = await openWithoutFrames('/console/sources');
    await heading(page, 'Sources');
    await page.evaluate(`location.hash = '#key=another-key'`);
    await heading(page, 'Change the API key?');
  });

  test('Ctrl-K and / work as soon as the page is drawn', async () => {
    for (const [key, box] of [
      ['Control+k', 'combobox'],
      ['/', 'searchbox'],
    ] as const) {
      const page = await openWithoutFrames('/console/sources');
      await heading(page, 'Sources');
      await page.keyboard.press(key);
      await expect.poll(() => page.getByRole(box).and(page.locator(':focus')).count()).toBe(1);
    }
  });

  test('the keyboard is at the top of a new page at once, and is not taken from what a person does there', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    const frames = await holdFrames(page);
    await section(page, 'Sources').press('Enter');
    await heading(page, 'Sources');
    expect(await focused(page)).toBe('main');
    await page.getByRole('searchbox').press('G');
    await frames.release();
    expect(await page.getByRole('searchbox').and(page.locator(':focus')).inputValue()).toBe('G');
  });

  test('the key / goes to the search of the sources before the next key', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    await holdFrames(page);
    await page.keyboard.press('/');
    await page.keyboard.press('g');
    await heading(page, 'Sources');
    expect(await page.getByRole('searchbox').inputValue()).toBe('g');
  });

  test('a filter that takes effect does not replace what is typed after it', async () => {
    const page = await console.open(`/console/sources/${made.source}`);
    await loaded(page);
    const box = page.getByRole('textbox', { name: 'Filter' });
    const frames = await holdFrames(page);
    await box.fill('{"a": [1]}');
    await box.press('Enter');
    await page.keyboard.type('xy');
    await frames.release();
    expect(await box.inputValue()).toBe('{"a": [1]}xy');
    await page.waitForURL(/filter=/);
  });

  test('Enter in the finder opens what is found later, when nothing was typed meanwhile', async () => {
    const page = await console.open('/console/me');
    await loaded(page);
    const sources = await holdRequests(page, 'GET', '**/users/me/sources**');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('greetings');
    await page.keyboard.press('Enter');
    await expect.poll(() => sources.count).toBeGreaterThan(0);
    sources.release();
    await heading(page, 'Greetings');
  });

  test('the finder keeps the option that the keyboard has reached when others come above it', async () => {
    const code = `export default { name: 'Workflows of shops', key: 'shops', version: '1', run() {} };`;
    await console.api.post('/components', { component_code: code });
    const page = await console.open('/console/me');
    await loaded(page);
    const components = await holdRequests(page, 'GET', '**/users/me/components**');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('workflows');
    await page.getByRole('option', { name: 'Workflows g f', exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    components.release();
    await page.getByRole('option', { name: 'Workflows of shops' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/workflows');
  });

  test('a click counts for the button that was pressed, although the page moved under the pointer', async () => {
    const page = await console.open(`/console/sources/new`);
    await loaded(page);
    await page.locator('.cm-content').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(CODE);
    await page.getByRole('button', { name: 'Create source' }).hover();
    await page.mouse.down();
    // The code was left: its props are drawn above the button.
    await page.getByRole('textbox', { name: 'Greeting' }).waitFor();
    await page.mouse.up();
    await page.getByText('Greeting needs a value.').waitFor();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Greeting' }).and(page.locator(':focus')).count())
      .toBe(1);
  });

  test('a pointer that is drawn away from the pressed button clicks nothing', async () => {
    const page = await console.open(`/console/sources/${made.source}`);
    await loaded(page);
    await page.getByRole('button', { name: 'More actions' }).hover();
    await page.mouse.down();
    await page.mouse.move(500, 500);
    await page.mouse.up();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect(await page.getByRole('menu').count()).toBe(0);
  });

  test('the box of the key has the focus, on the first page and after the end of a session', async () => {
    const page = await console.open('/console/me', { isSignedOut: true });
    const box = page.getByRole('textbox', { name: 'API key' });
    await box.and(page.locator(':focus')).fill(console.cloud.key);
    await page.keyboard.press('Enter');
    await heading(page, 'Me');
    await loaded(page);
    await holdFrames(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await box.waitFor();
    await expect.poll(() => box.and(page.locator(':focus')).count()).toBe(1);
  });
});
