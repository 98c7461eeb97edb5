import { beforeAll, expect, test } from 'vitest';
import { describeConsole } from '../support/console-browser.ts';
import { ECHO } from '../support/scene.ts';

/** Types the last letters of a search in the moment in which the first letters reach the address. */
const TYPE_ON = `{
  const search = document.querySelector('input[type="search"]');
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name];
    history[name] = function (...input) {
      change.apply(this, input);
      if (search.value !== 'noth') return;
      search.value = 'nothing';
      search.dispatchEvent(new Event('input', { bubbles: true }));
    };
  }
}`;

/** A render of the search overwrote what was typed after its search had begun. */
describeConsole('a search of the console', (console) => {
  beforeAll(async () => {
    await console.api.post('/sources', { component_code: ECHO, name: 'one' });
  });

  test('keeps letters that are typed while the address takes those before', async () => {
    const page = await console.open('/console/sources');
    const search = page.getByRole('searchbox');
    await search.waitFor();
    await page.evaluate(TYPE_ON);
    await search.pressSequentially('noth');
    await page.waitForURL(/\?q=nothing$/);
  });

  test('follows the address when a link or the back button changes it', async () => {
    const page = await console.open('/console/sources?q=one');
    const shows = (text: string) => expect.poll(() => page.getByRole('searchbox').inputValue()).toBe(text);
    await shows('one');
    await page.getByRole('link', { name: 'Sources', exact: true }).click();
    await shows('');
    await page.goBack();
    await shows('one');
  });
});
