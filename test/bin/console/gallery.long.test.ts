import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { publish } from '../../support/stores.ts';
import { looksRight } from '../../support/looks-right.ts';

const PUBLISHED = `export default {
  key: 'new-star', name: 'New star', version: '1.0.0', description: 'Tells of each new star of a repository.',
  props: {
    github: { type: 'app', app: 'github' },
    timer: '$.interface.timer',
    repository: { type: 'string', label: 'Repository' },
  },
  run() {},
};
`;

const gallery = (page: Page) => page.getByRole('list', { name: 'Examples and components' });
const card = (page: Page, name: string) => gallery(page).getByRole('button', { name });
const from = (page: Page) => page.getByRole('combobox', { name: 'Start from' });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' });

describeConsole('the gallery of New source', (console) => {
  beforeAll(async () => {
    const { body } = await console.api.post('/components', { component_code: PUBLISHED });
    await publish(console.cloud, body.data.id);
  });

  test('an example fills in its code and shows its props as a form', async () => {
    const page = await console.open('/console/sources/new');
    await loaded(page);
    await card(page, 'New GitHub release').waitFor();
    await looksRight(page, 'gallery');
    const [start, list] = await Promise.all([from(page).boundingBox(), gallery(page).boundingBox()]);
    expect(start?.y).toBeLessThan(list?.y ?? 0);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.gallery')).overflowY")).toBe('visible');
    await page.getByRole('button', { name: /^Show all \d+$/ }).click();
    await card(page, 'New item in a feed').waitFor();
    await search(page).fill('github release');
    await card(page, 'Calendar').waitFor({ state: 'detached' });
    await card(page, 'New GitHub release').click();
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.getByText('Emits each new release of a GitHub repository.').waitFor();
    await page.getByRole('textbox', { name: 'Repository' }).fill('nodejs/node');
    expect(await from(page).inputValue()).toBe('New GitHub release');
    await looksRight(page, 'gallery-picked');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Releases');
    await page.getByRole('button', { name: 'Create source' }).click();
    await page.getByRole('heading', { level: 1, name: 'Releases' }).waitFor();
    const [source] = (await console.api.get('/users/me/sources', { q: 'releases' })).body.data;
    expect(source.configured_props.repository).toBe('nodejs/node');
    const { body } = await console.api.get(`/components/${source.component_id}`);
    expect(body.data.code).toBe(readFileSync('docs/examples/github-releases.mjs', 'utf8'));
  });

  test('a published component is found by its app, and shows its props as a form', async () => {
    const page = await console.open('/console/sources/new');
    await loaded(page);
    await search(page).fill('github');
    await card(page, 'New star').click();
    await page.getByRole('region', { name: 'Component', exact: true }).getByText('New star').waitFor();
    await page.getByRole('textbox', { name: 'Repository' }).waitFor();
    await looksRight(page, 'gallery-published');
    await page.getByRole('button', { name: 'Use other code' }).click();
    await page.getByRole('tab', { name: 'Code' }).waitFor();
    await page.getByText('Examples and published components').click();
    await search(page).fill('no such component');
    await page.getByText('Nothing matches.').waitFor();
    await looksRight(page, 'gallery-none');
  });

  test('code that a person wrote is not replaced unasked', async () => {
    const page = await console.open('/console/sources/new');
    await page.locator('.cm-content').waitFor();
    const code = page.getByRole('textbox', { name: 'Code' });
    await code.fill('// My own.');
    await card(page, 'Greeting').click();
    const question = page.getByRole('dialog', { name: 'Replace your code?' });
    await question.waitFor();
    await looksRight(page, 'gallery-replace');
    await question.getByRole('button', { name: 'Keep my code' }).click();
    await question.waitFor({ state: 'hidden' });
    await code.getByText('// My own.').waitFor();
    await choose(page, 'Start from', 'cron');
    await question.getByRole('button', { name: 'Replace', exact: true }).click();
    await code.getByText("cron: '0 6 * * *'").waitFor();
    expect(await from(page).inputValue()).toBe('cron');
    expect(await page.evaluate("Object.keys(sessionStorage).filter((key) => key.includes('draft'))")).toEqual([]);
  });
});
