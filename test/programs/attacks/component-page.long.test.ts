import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeConsole } from '../../support/console-browser.ts';
import { OTHER_HOST, startConsoleProvider } from '../../support/console-provider.ts';
import type { IdentityProvider } from '../../support/identity-provider.ts';

/** Responds with a page, and tells in an event which cookies and which bodies reached it. */
const ATTACKER = `export default {
  key: 'attacker', name: 'Attacker', version: '1.0.0',
  props: { http: { type: '$.interface.http', customResponse: true } },
  async run(event) {
    this.http.respond({
      status: 200,
      headers: { 'content-type': 'text/html', 'set-cookie': 'tributary-session=chosen; Path=/' },
      body: '<!doctype html><title>attacker</title><body></body>',
    });
    this.$emit({ path: event.path, cookie: event.headers.cookie ?? null, body: event.body ?? null });
  },
};`;

/** The response to a request with the cookies of its reader, as a script of the component sees it. */
const fetchFrom = (page: Page, url: string, init = '') =>
  page.evaluate<string>(`fetch(${JSON.stringify(url)}, { credentials: 'include', ${init} }).then(
    (response) => response.text().then((text) => response.status + ' ' + text),
    (error) => 'blocked: ' + error.message,
  )`);

describeConsole(
  'a page of a component, open in the browser of a person who is signed in',
  (console) => {
    let provider: IdentityProvider;
    let attacker: string;
    let webhookId: string;
    let sourceId: string;

    beforeAll(async () => {
      const { id } = (await console.api.get('/users/me')).body.data;
      provider = await startConsoleProvider(console.cloud, { [id]: { owners: ['ada@example.org'] } });
      provider.accounts.set('ada@example.org', {});
      const source = (await console.api.post('/sources', { component_code: ATTACKER })).body.data;
      sourceId = source.id;
      // Another host name than that of the API; the port is that of the ingress.
      const { port } = new URL(console.cloud.ingress);
      attacker = `http://localhost:${port}${new URL(source.endpoint_url).pathname}`;
      webhookId = (await console.api.post('/webhooks', { url: 'http://127.0.0.1:9/mine' })).body.data.id;
    });
    afterAll(() => provider.down());

    /** The page of the attacker, in the browser of a person with a session. */
    async function openAttacker(): Promise<{ page: Page; token: string }> {
      const page = await console.open('/console', { isSignedOut: true });
      await page.getByRole('link', { name: 'Sign in with Example ID' }).click();
      await page.getByPlaceholder('Enter any login').fill('ada@example.org');
      await page.getByPlaceholder('and password').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('link', { name: 'Signed in as ada@example.org' }).waitFor();
      const cookie = (await page.context().cookies()).find(({ name }) => name === 'tributary-session');
      await page.goto(attacker);
      expect(await page.title()).toBe('attacker');
      return { page, token: cookie?.value ?? expect.fail('no session') };
    }

    const eventsOf = async () =>
      JSON.stringify((await console.api.get(`/sources/${sourceId}/event_summaries`, { expand: 'event' })).body.data);
    const isUnchanged = async () => {
      expect((await console.api.get(`/webhooks/${webhookId}`)).body.data).toMatchObject({ active: true });
      expect((await console.api.get('/keys')).body.data).toHaveLength(1);
    };

    test('reads no cookie, and gets none with its own requests', async () => {
      const { page, token } = await openAttacker();
      expect(await page.evaluate('document.cookie')).not.toContain(token);
      await fetchFrom(page, attacker, `method: 'POST', body: 'beacon'`);
      await expect.poll(eventsOf).toContain('beacon');
      expect(await eventsOf()).not.toContain(token);
    });

    test('reads nothing and changes nothing by requests with the cookies of its reader', async () => {
      const { page } = await openAttacker();
      const { base } = console.cloud;
      for (const path of ['/session', '/users/me', '/keys', '/users/me/audit', `/webhooks/${webhookId}`])
        expect(await fetchFrom(page, base + path), path).toMatch(/^blocked/);
      expect(
        await fetchFrom(page, `${base}/webhooks/${webhookId}`, `method: 'DELETE', headers: { 'x-csrf': 'x' }`),
      ).toMatch(/^blocked/);
      for (const [path, body] of [
        ['/keys', '{"name":"mine","scopes":["manage"]}'],
        ['/session', ''],
      ])
        await fetchFrom(page, base + path, `method: 'POST', mode: 'no-cors', body: ${JSON.stringify(body)}`);
      await isUnchanged();
    });

    test.each(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'])(
      'changes nothing by a form of the type %s, which the browser sends as a click',
      async (type) => {
        const { page } = await openAttacker();
        await page.evaluate(`{
          const form = document.createElement('form');
          Object.assign(form, { method: 'post', action: '${console.cloud.base}/keys', enctype: '${type}' });
          const field = document.createElement('input');
          Object.assign(field, { name: '{"name":"mine","scopes":["manage"],"x":"', value: '"}' });
          form.append(field);
          document.body.append(form);
          form.submit();
        }`);
        await page.waitForURL(`${console.cloud.base}/keys`);
        expect(await page.locator('body').innerText()).toMatch(/forbidden_origin|unauthenticated|missing_csrf/);
        await isUnchanged();
      },
    );

    test('images, frames and windows tell it nothing of the session', async () => {
      const { page } = await openAttacker();
      const { base, origin } = console.cloud;
      const image = await page.evaluate<string>(`new Promise((resolve) => {
        const image = new Image();
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('failed');
        image.src = '${base}/users/me';
      })`);
      expect(image).toBe('failed');
      await page.evaluate(`{
        const frame = document.createElement('iframe');
        frame.src = '${origin}/console';
        document.body.append(frame);
      }`);
      const frames = () =>
        page
          .frames()
          .slice(1)
          .map((frame) => frame.url());
      await expect.poll(frames).not.toEqual([]);
      await page.waitForLoadState('networkidle');
      const framed = page.frames().at(1);
      expect(await framed?.evaluate('document.querySelector("#app")?.childElementCount ?? 0').catch(() => 0)).toBe(0);
      const opened = page.context().waitForEvent('page');
      await page.evaluate(`globalThis.opened = open('${origin}/console')`);
      const tab = await opened;
      await tab.getByRole('link', { name: 'Signed in as ada@example.org' }).waitFor();
      expect(await page.evaluate('opened.closed')).toBe(true);
      expect(await tab.evaluate('window.opener')).toBeNull();
      await tab.close();
    });

    test('a cookie of the same name that it sets does not reach the console', async () => {
      const { page, token } = await openAttacker();
      await page.evaluate(`document.cookie = 'tributary-session=chosen; Path=/'`);
      await page.evaluate(`document.cookie = 'tributary-session=chosen; Path=/; Domain=127.0.0.1'`);
      await page.goto(`${console.cloud.origin}/console`);
      await page.getByRole('link', { name: 'Signed in as ada@example.org' }).waitFor();
      const cookies = await page.context().cookies(console.cloud.origin);
      expect(cookies.filter(({ name }) => name === 'tributary-session').map(({ value }) => value)).toEqual([token]);
    });

    test('a sign-in that it begins leads to the console alone, and ends in no session of the attacker', async () => {
      const { page } = await openAttacker();
      await page.goto(`${console.cloud.base}/session/sign_in?return_to=${encodeURIComponent(attacker)}`);
      expect(page.url().startsWith(console.cloud.origin)).toBe(true);
      expect(await page.title()).not.toBe('attacker');
      await page.goto(attacker);
      await page.goto(`${console.cloud.base}/session/callback?code=of-the-attacker&state=of-the-attacker`);
      await page.getByRole('link', { name: 'Signed in as ada@example.org' }).waitFor();
    });
  },
  () => OTHER_HOST,
);
