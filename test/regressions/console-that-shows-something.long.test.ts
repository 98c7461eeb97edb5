import { expect, test } from 'vitest';
import { accessibilityFindings, chooseAction, describeConsole, loaded } from '../support/console-browser.ts';
import { looksRight } from '../support/looks-right.ts';
import { Receiver } from '../support/receiver.ts';

describeConsole('the console', (console) => {
  /** Chromium in the POSIX locale reports this; `Intl` refuses it. */
  test.each(['en-US@posix', 'C', 'de_DE.UTF-8'])('shows its pages to a browser of the locale %s', async (tag) => {
    const page = await console.open('/console', { isSignedOut: true });
    await page.addInitScript(`
      Object.defineProperty(Navigator.prototype, 'language', { get: () => ${JSON.stringify(tag)}, configurable: true });
      Object.defineProperty(Navigator.prototype, 'languages', { get: () => [${JSON.stringify(tag)}], configurable: true });
      sessionStorage.setItem('tributary.key', ${JSON.stringify(console.cloud.key)});
    `);
    for (const path of ['', '/sources', '/webhooks', '/me']) {
      await page.goto(`${console.cloud.origin}/console${path}`);
      await loaded(page);
    }
  });

  test('shows a sentence in the place of a program that does not load', async () => {
    const page = await (await console.open('/console', { isSignedOut: true })).context().newPage();
    await page.addInitScript(`Intl.NumberFormat = function () { throw new RangeError('refused'); };`);
    await page.goto(`${console.cloud.origin}/console`);
    await page.getByRole('alert').getByText('cannot be shown. Reload it, or try another browser.').waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  test.each([
    ['a page', '/console/sources', '/v1/users/me/sources**'],
    ['the page of a source', '/console/components', '/v1/users/me/components**'],
  ])('shows a sentence and the request id in the place of %s that fails', async (_, path, address) => {
    const page = await console.open('/console/me');
    await loaded(page);
    // Another request may be the last one.
    await page.route('**/v1/**', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'x-request-id': 'the-request-id' };
      // The page may have been left meanwhile.
      await route.fulfill({ response, headers }).catch(() => undefined);
    });
    // A response of another form than this program knows.
    await page.route(`**${address}`, (route) =>
      route.fulfill({
        json: { data: [null], page_info: {} },
        headers: { 'x-request-id': 'the-request-id' },
      }),
    );
    await page.goto(console.cloud.origin + path);
    const alert = page.getByRole('alert');
    await alert.getByText('The last request to the service was the-request-id.').waitFor();
    await page.getByRole('heading', { name: 'Not shown', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('navigation', { name: 'Main' }).count()).toBe(1);
    await looksRight(page, 'not-shown');
    await page.getByRole('link', { name: 'Me', exact: true }).click();
    await page.getByRole('heading', { name: 'Me', level: 1 }).waitFor();
  });

  test('a long response of a delivery can be scrolled by the keyboard', async () => {
    const receiver = await Receiver.start();
    try {
      receiver.respond = () => ({ status: 500, body: `${'long '.repeat(300)}end` });
      const { id } = (await console.api.post('/webhooks', { url: receiver.url, name: 'Long' })).body.data;
      await console.api.post(`/webhooks/${id}/test`);
      const [delivery] = (await console.api.get(`/webhooks/${id}/deliveries`)).body.data;
      const page = await console.open(`/console/webhooks/${id}/deliveries/${delivery.id}`, { width: 360 });
      await page.getByRole('region', { name: 'Response 1' }).focus();
      expect(await accessibilityFindings(page)).toEqual([]);
    } finally {
      await receiver.stop();
    }
  });

  test('the page of a webhook without a recovery asks for none; a recovery that this tab started is shown after a reload', async () => {
    const { id } = (await console.api.post('/webhooks', { url: 'http://127.0.0.1:9/', name: 'None' })).body.data;
    await console.api.put(`/webhooks/${id}`, { active: false });
    const page = await console.open(`/console/webhooks/${id}`);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(response.url());
    });
    await page.reload();
    await loaded(page);
    expect(refused).toEqual([]);
    await page.getByRole('button', { name: 'Recover…' }).click();
    await page.getByRole('button', { name: 'Show last job' }).click();
    await page.getByText('Nothing has been recovered yet.').waitFor();
    await chooseAction(page, 'Enable');
    await page.getByRole('button', { name: 'Recover…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Recover', exact: true }).click();
    await page.getByText('Recovered: 0 of 0 sent').waitFor();
    await page.reload();
    await page.getByText('Recovered: 0 of 0 sent').waitFor();
  });
});
