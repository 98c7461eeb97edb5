import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';

const CODE = `export default { name: 'Echo', version: '1', props: { http: '$.interface.http', mark: { type: 'string', default: 'a' } }, run({ body }) { this.$emit(body); } };\n`;
const EDITED = `// Unsaved.\n${CODE}`;

const textOf = (page: Page) => page.locator('.cm-content').innerText();
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' });
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Source' }).getByRole('link', { name, exact: true });
const draftsOf = (page: Page) =>
  page.evaluate("Object.keys(sessionStorage).filter((key) => key.startsWith('tributary.draft.'))");
const mark = (page: Page) => page.getByText('not saved', { exact: true });

async function type(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').waitFor();
  await page.getByRole('textbox', { name: 'Code' }).fill(text);
  await mark(page).waitFor();
}

describeConsole('unsaved code', (console) => {
  let code: string;
  let source: string;
  beforeAll(async () => {
    const { body } = await console.api.post('/sources', { component_code: CODE, name: 'Echo' });
    source = body.data.id;
    code = `/console/sources/${source}/code`;
  });

  test('is marked; a link asks before it leaves; a draft comes back with a notice, and goes with a save', async () => {
    const page = await console.open(code);
    await type(page, EDITED);
    await tab(page, 'Events').click();
    await dialog(page).getByText('stay in this tab as a draft').waitFor();
    await looksRight(page, 'leave-dialog');
    await inDialog(page, 'Stay');
    await dialog(page).waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe(code);
    expect(await textOf(page)).toContain('// Unsaved.');
    await tab(page, 'Events').click();
    await inDialog(page, 'Leave');
    await page.waitForURL(`**/console/sources/${source}`);
    await tab(page, 'Code').locator('.dot.unsaved').waitFor();
    expect(await draftsOf(page)).toEqual([`tributary.draft.${source}`]);
    await tab(page, 'Code').click();
    await page.getByText('Changes that were not saved are restored').waitFor();
    await page.locator('.cm-content').getByText('// Unsaved.').waitFor();
    await looksRight(page, 'restored-draft');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('status').getByText('Saved. The source runs the new code.').waitFor();
    await mark(page).waitFor({ state: 'detached' });
    expect(await textOf(page)).toContain('// Unsaved.');
    expect(await draftsOf(page)).toEqual([]);
    await tab(page, 'Events').click();
    await page.waitForURL(`**/console/sources/${source}`);
  });

  test('is asked about by the buttons of the browser; a link within the page asks nothing', async () => {
    const page = await console.open(`/console/sources/${source}`);
    await tab(page, 'Code').click();
    await page.waitForURL(`**${code}`);
    await type(page, CODE);
    await page.goBack();
    await dialog(page).waitFor();
    expect(new URL(page.url()).pathname).toBe(code);
    await inDialog(page, 'Stay');
    await tab(page, 'Code').click();
    expect(await dialog(page).count()).toBe(0);
    expect(await textOf(page)).not.toContain('// Unsaved.');
    await page.goBack();
    // The click on the tab is an entry of its own.
    expect(await dialog(page).count()).toBe(0);
    await page.goBack();
    await inDialog(page, 'Leave');
    await page.waitForURL(`**/console/sources/${source}`);
  });

  test('is asked about before a reload, and restored after it; Discard changes brings the stored code back', async () => {
    const page = await console.open(code);
    await type(page, `// Reloaded.\n${CODE}`);
    const asked: string[] = [];
    page.on('dialog', (each) => {
      asked.push(each.type());
      void each.accept();
    });
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await page.locator('.cm-content').getByText('// Reloaded.').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.locator('.cm-content').getByText('// Unsaved.').waitFor();
    expect(await draftsOf(page)).toEqual([]);
    await page.reload();
    await page.locator('.cm-content').getByText('// Unsaved.').waitFor();
    expect(asked).toHaveLength(1);
  });

  test('of a new source is a draft until the source is created', async () => {
    const page = await console.open('/console/sources/new');
    await page.locator('.cm-content').waitFor();
    await page.getByRole('textbox', { name: 'Code' }).fill(CODE.replace('Echo', 'Second'));
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Sources' }).click();
    await inDialog(page, 'Leave');
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor();
    await page.getByRole('link', { name: 'New source' }).click();
    await page.getByText('Changes that were not saved are restored').waitFor();
    await page.locator('.cm-content').getByText('Second').waitFor();
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('heading', { level: 1, name: 'second' }).waitFor();
    expect(await draftsOf(page)).toEqual([]);
    await page.goto(`${console.cloud.origin}/console/sources/new`);
    await page.locator('.cm-placeholder').waitFor();
  });

  test('goes with a sign-out, stays when the service refuses the key, and is of one user', async () => {
    const { body } = await console.api.get('/users/me');
    const signIn = async (page: Page) => {
      await page.getByRole('textbox', { name: 'API key' }).fill(console.cloud.key);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      // The form has a heading of its own.
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await loaded(page);
    };
    const page = await console.open(code, { isSignedOut: true });
    onTestFinished(() => page.close());
    await signIn(page);
    await type(page, `// Mine.\n${CODE}`);
    await page.route('**/v1/**', (route) =>
      route.fulfill({ status: 401, json: { error: 'The API key is unknown.', code: 'unauthorized' } }),
    );
    await page.getByText('The API key is unknown.').waitFor();
    await page.unroute('**/v1/**');
    await signIn(page);
    await page.locator('.cm-content').getByText('// Mine.').waitFor();
    expect(await page.evaluate("sessionStorage.getItem('tributary.user')")).toBe(body.data.id);

    await page.getByRole('link', { name: 'Me', exact: true }).click();
    await inDialog(page, 'Leave');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    expect(await draftsOf(page)).toEqual([]);

    await page.evaluate(
      `sessionStorage.setItem('tributary.user', 'u_other'); sessionStorage.setItem('tributary.draft.new', '{"at":1,"base":"","files":[["component.mjs","of another"]]}');`,
    );
    await signIn(page);
    expect(await draftsOf(page)).toEqual([]);
  });

  test('of props and settings has no draft, but is asked about', async () => {
    const page = await console.open(`/console/sources/${source}/props`);
    await page.getByRole('textbox', { name: 'mark', exact: true }).fill('b');
    await mark(page).waitFor();
    await tab(page, 'Events').click();
    await dialog(page).getByText('The changes on this page are lost.').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await mark(page).waitFor({ state: 'detached' });
    await tab(page, 'Events').click();
    await page.waitForURL(`**/console/sources/${source}`);
  });
});
