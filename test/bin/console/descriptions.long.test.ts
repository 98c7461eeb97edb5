import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';

const DESCRIPTION = [
  'The **full name** of the `repository`, see [the *documentation*](https://example.com/docs?a=1#b).',
  '',
  '- `owner/name`',
  '- or its number',
  '',
  '<b onclick="attacked = 1">bold</b> [script](javascript:attacked=1) [mixed](jAvAsCrIpT:attacked=1) <javascript:attacked=1>',
  '[data](data:text/html,<script>attacked=1</script>) [relative](/console/me) ![image](https://example.com/pixel.gif)',
].join('\n');

const CODE = `export default { key: 'described', name: 'Described', version: '1', description: ${JSON.stringify(DESCRIPTION)},
  props: { http: '$.interface.http', notice: { type: 'alert', content: ${JSON.stringify(DESCRIPTION)} },
    repo: { type: 'string', label: 'Repo', description: ${JSON.stringify(DESCRIPTION)}, default: 'x' },
    flag: { type: 'boolean', label: 'Flag', description: ${JSON.stringify(DESCRIPTION)}, default: true } }, run() {} };`;

const linksOf = (page: Page) => page.locator('.markdown a');

describeConsole('descriptions in Markdown', (console) => {
  const made = { source: '', component: '' };
  beforeAll(async () => {
    const { body } = await console.api.post('/sources', { component_code: CODE });
    Object.assign(made, { source: body.data.id, component: body.data.component_id });
  });

  test('show code, emphasis, lists and links to the web, and everything else as text', async () => {
    for (const path of [`/console/sources/${made.source}/props`, `/console/components/${made.component}`]) {
      const page = await console.open(path);
      await loaded(page);
      const shown = page.locator('.markdown').first();
      await shown.locator('strong', { hasText: 'full name' }).waitFor();
      await shown.locator('code', { hasText: 'repository' }).waitFor();
      await expect.poll(() => shown.locator('li').count()).toBe(2);
      const link = shown.getByRole('link', { name: 'the documentation' });
      expect(await link.getAttribute('href')).toBe('https://example.com/docs?a=1#b');
      await shown.getByText('<b onclick="attacked = 1">bold</b> [script](javascript:attacked=1)').waitFor();
      for (const each of await linksOf(page).all()) {
        expect(await each.getAttribute('href')).toMatch(/^https:\/\/example\.com\//);
        expect(await each.getAttribute('rel')).toContain('noopener');
        expect(await each.getAttribute('target')).toBe('_blank');
      }
      expect(await page.locator('main :is(img, b, script, [onclick])').count()).toBe(0);
      expect(await page.evaluate('globalThis.attacked')).toBeUndefined();
      await looksRight(page, path.includes('props') ? 'description-props' : 'description-component');
    }
  });

  test('are one line without marks in a list', async () => {
    const page = await console.open('/console/components');
    await loaded(page);
    await page.getByText('The full name of the repository, see the documentation.').waitFor();
    expect(await linksOf(page).count()).toBe(0);
  });
});
