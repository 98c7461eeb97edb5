import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { choose, describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { PASS } from '../../support/scene.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const tags = (page: Page) => page.getByRole('textbox', { name: 'Tags', exact: true });
const names = (page: Page) => page.getByRole('rowheader').allInnerTexts();

describeConsole('tags', (console) => {
  const ids = { orders: '', refunds: '', shop: '' };
  beforeAll(async () => {
    const source = async (name: string, more: object = {}) =>
      (await console.api.post('/sources', { component_code: PASS, name, ...more })).body.data.id;
    const webhook = async (name: string, more: object = {}) =>
      (await console.api.post('/webhooks', { url: 'https://example.org/in', name, ...more })).body.data.id;
    ids.orders = await source('Orders', { tags: ['team:sales', 'nightly', 'x'.repeat(40), 'y'] });
    ids.refunds = await source('Refunds');
    ids.shop = await webhook('Shop', { tags: ['team:sales'] });
    await webhook('Crm');
  });

  test('a list is filtered by the tag of its address, which the box Tag and each chip set', async () => {
    const page = await console.open('/console/sources');
    await page.getByText('2 sources').waitFor();
    await page.getByText('+2', { exact: true }).waitFor();
    await looksRight(page, 'sources-tags');
    await choose(page, 'Tag', 'nightly');
    await page.getByText('1 source', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('nightly');
    expect(await names(page)).toEqual([expect.stringMatching(/^Orders/)]);
    await page.getByRole('combobox', { name: 'Tag' }).fill('');
    await page.getByRole('combobox', { name: 'Tag' }).blur();
    await page.getByText('2 sources').waitFor();
    await page.getByRole('link', { name: 'team:sales', exact: true }).click();
    await page.getByText('1 source', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('team:sales');
    await page.goto(new URL('/console/webhooks?tag=team:sales', page.url()).href);
    await page.getByText('1 webhook', { exact: true }).waitFor();
    await page.goto(new URL('/console/webhooks?tag=__proto__', page.url()).href);
    await page.getByText('No webhook matches.').waitFor();
  });

  test('the head of a source has its tags, and Edit tags changes them', async () => {
    const page = await console.open(`/console/sources/${ids.refunds}`);
    await button(page, 'Add tags').click();
    await tags(page).fill('nightly, a;b');
    await looksRight(page, 'edit-tags');
    await button(page, 'Save').click();
    await page.getByRole('alert').getByText('tags.1 must have only letters').waitFor();
    await tags(page).fill(' nightly , b ,');
    await button(page, 'Save').click();
    await page.getByRole('status').getByText('The tags were saved.').waitFor();
    await page.getByRole('link', { name: 'nightly', exact: true }).waitFor();
    expect((await console.api.get(`/sources/${ids.refunds}`)).body.data.tags).toEqual(['nightly', 'b']);
    await button(page, 'Edit tags').click();
    expect(await tags(page).inputValue()).toBe('nightly, b');
  });

  test('the settings of a webhook have its tags', async () => {
    const page = await console.open(`/console/webhooks/${ids.shop}/settings`);
    await loaded(page);
    expect(await tags(page).inputValue()).toBe('team:sales');
    await tags(page).fill('team:sales, production');
    await button(page, 'Save').click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'production', exact: true }).waitFor();
    expect((await console.api.get(`/webhooks/${ids.shop}`)).body.data.tags).toEqual(['team:sales', 'production']);
  });

  test('chosen webhooks are disabled and enabled together, again and again', async () => {
    const page = await console.open('/console/webhooks');
    await page.getByText('2 webhooks').waitFor();
    const states = async () => {
      const { data } = (await console.api.get('/users/me/webhooks')).body;
      return data.map(({ active }: { active: boolean }) => active);
    };
    for (const [word, active] of [
      ['Disable', false],
      ['Enable', true],
      ['Disable', false],
    ] as const) {
      await page.getByRole('checkbox', { name: 'Choose all' }).check();
      await button(page, `${word} 2 chosen`).click();
      await page.getByRole('status').getByText(`2 webhooks are ${word.toLowerCase()}d.`).waitFor();
      expect(await states()).toEqual([active, active]);
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0);
    }
    await page.getByRole('checkbox', { name: 'Choose Crm', exact: true }).check();
    await looksRight(page, 'webhooks-chosen');
    await button(page, 'Enable 1 chosen').click();
    await page.getByRole('status').getByText('1 webhook is enabled.').waitFor();
  });
});
