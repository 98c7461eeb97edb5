import { expect, test } from 'vitest';
import { describeConsole, loaded } from '../../support/console-browser.ts';

/** Boxes that would show a scrollbar for less than a line of text. Headless browsers hide scrollbars. */
const SCROLLING_BOXES = `[...document.querySelectorAll('body *')]
  .filter((box) => /auto|scroll/.test(getComputedStyle(box).overflowY))
  .filter((box) => box.scrollHeight > box.clientHeight && box.scrollHeight < box.clientHeight + 12)
  .map((box) => box.outerHTML.slice(0, 120))`;

describeConsole('scrollbars', (browser) => {
  test('no box of a page scrolls by less than a line', async () => {
    const { body: source } = await browser.api.post('/sources', {
      component_code: `export default { name: 'Scrolled', props: { http: '$.interface.http' } };`,
    });
    const { body: webhook } = await browser.api.post('/webhooks', { url: 'http://127.0.0.1:9/hook' });
    const [sourcePage, webhookPage] = [`/sources/${source.data.id}`, `/webhooks/${webhook.data.id}`];
    const paths = ['', '/sources', '/sources/new', sourcePage, `${sourcePage}/code`, `${sourcePage}/props`];
    for (const path of [...paths, '/webhooks', '/webhooks/new', webhookPage, `${webhookPage}/settings`, '/me']) {
      const page = await browser.open(`/console${path}`);
      await loaded(page);
      expect(await page.evaluate(SCROLLING_BOXES), path).toEqual([]);
    }
  });
});
