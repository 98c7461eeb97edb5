import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FakeClock } from '../../../infra/embedded/clock.ts';
import { describeConsole, loaded } from '../../support/console-browser.ts';
import { addressIn, makeContent } from '../../support/console-content.ts';
import { OTHER_HOST, startConsoleProvider } from '../../support/console-provider.ts';
import { ROUTES } from '../../support/console-routes.ts';
import type { IdentityProvider } from '../../support/identity-provider.ts';
import { looksRight } from '../../support/looks-right.ts';
import { PASS } from '../../support/scene.ts';
import { aUser } from '../../support/stores.ts';

const MINUTE_MS = 60_000;
const clock = new FakeClock(Date.now());

const SIGN_IN = 'Sign in with Example ID';
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const signedInAs = (page: Page, text: string) => page.getByRole('link', { name: `Signed in as ${text}` }).waitFor();

/** Goes through the pages of the provider. */
async function passProvider(page: Page, email: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(email);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
}

describeConsole(
  'signing in to the console at a provider',
  (console) => {
    let provider: IdentityProvider;
    let adminId: string;
    let shop: { id: string; key: string };

    beforeAll(async () => {
      adminId = (await console.api.get('/users/me')).body.data.id;
      shop = await aUser(console.cloud);
      provider = await startConsoleProvider(console.cloud, {
        [adminId]: { owners: ['ada@example.org'], viewers: ['group:staff'] },
        [shop.id]: { viewers: ['ada@example.org'] },
      });
      provider.accounts.set('ada@example.org', { name: 'Ada Lovelace' });
      provider.accounts.set('ben@example.org', { groups: ['staff'] });
      provider.accounts.set('eve@example.org', {});
      provider.accounts.set('una@example.org', { emailVerified: false, groups: ['staff'] });
    });
    afterAll(() => provider.down());

    /** Moves the clock of the service on, and that of the provider to `offsetSeconds` after it. */
    function later(ms: number, offsetSeconds = 0): void {
      clock.advance(ms);
      provider.clockOffsetSeconds = Math.round((clock.now() - Date.now()) / 1_000) + offsetSeconds;
    }

    async function openAs(email: string, path = '/console'): Promise<Page> {
      const page = await console.open(path, { isSignedOut: true });
      await page.getByRole('link', { name: SIGN_IN }).click();
      later(0);
      await passProvider(page, email);
      await page.waitForURL(console.cloud.origin + path);
      return page;
    }

    test('a person comes back to the page that was asked for, by keyboard, with a cookie that no script reads', async () => {
      const page = await console.open('/console/sources?q=orders', { isSignedOut: true });
      await page.getByRole('link', { name: SIGN_IN }).waitFor();
      await looksRight(page, 'sign-in-by-provider');
      await page.locator('input:focus').waitFor();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Enter');
      await page.getByPlaceholder('Enter any login').waitFor();
      const asked = provider.authorizations.at(-1);
      expect(asked).toMatchObject({ response_type: 'code', code_challenge_method: 'S256' });
      await passProvider(page, 'ada@example.org');
      await heading(page, 'Sources');
      expect(page.url()).toBe(`${console.cloud.origin}/console/sources?q=orders`);
      await signedInAs(page, 'ada@example.org owner of admin');
      const cookie = (await page.context().cookies()).find(({ name }) => name === 'tributary-session');
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
      expect(await page.evaluate(`document.cookie + JSON.stringify({ ...sessionStorage })`)).not.toContain(
        cookie?.value ?? '?',
      );
      await page.reload();
      await signedInAs(page, 'ada@example.org owner of admin');
    });

    test('an owner changes things, and the log names the person', async () => {
      const page = await openAs('ada@example.org', '/console/webhooks/new');
      await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/ada');
      await page.getByRole('button', { name: 'Create webhook' }).click();
      await page.getByText('The webhook was created.').waitFor();
      await page.goto(`${console.cloud.origin}/console/me`);
      const change = page.getByRole('table', { name: 'Changes' }).getByRole('row').filter({ hasText: 'createWebhook' });
      await change.getByText('ada@example.org').waitFor();
      await looksRight(page, 'me-of-signed-in');
    });

    test('a sign-out goes on to the provider, and comes back to the form', async () => {
      const page = await openAs('ada@example.org', '/console/me');
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await page.waitForURL(`${console.cloud.origin}/console*`);
      await page.getByRole('link', { name: SIGN_IN }).click();
      await page.getByPlaceholder('Enter any login').waitFor();
    });

    test('a sign-out in one tab is one in the others, and so is a sign-in', async () => {
      const page = await openAs('ada@example.org', '/console/me');
      const other = await page.context().newPage();
      await other.goto(`${console.cloud.origin}/console/webhooks`);
      await signedInAs(other, 'ada@example.org owner of admin');
      await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
      await other.getByRole('link', { name: SIGN_IN }).waitFor();
      expect(other.url()).toBe(`${console.cloud.origin}/console/webhooks`);
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await page.getByRole('link', { name: SIGN_IN }).click();
      await passProvider(page, 'ada@example.org');
      await signedInAs(other, 'ada@example.org owner of admin');
    });

    test('a page goes on following a stream when the token of its stream has ended', async () => {
      const { body } = await console.api.post('/sources', { component_code: PASS });
      const page = await openAs('ada@example.org', `/console/sources/${body.data.id}`);
      const sent = new Set<string>();
      const accepted = new Set<string>();
      const note = (tokens: Set<string>, url: string): void => {
        const token = new URL(url).searchParams.get('token');
        if (token !== null) tokens.add(token);
      };
      page.on('request', (request) => note(sent, request.url()));
      page.on('response', (response) => response.ok() && note(accepted, response.url()));
      // A response ends with the first events, so each token is accepted once an event came.
      const follows = async (count: number) => {
        await expect.poll(() => sent.size).toBe(count);
        await console.api.post(`/sources/${body.data.id}/run`, {});
        await expect.poll(() => accepted.size).toBe(count);
      };
      await follows(1);
      later(61 * MINUTE_MS);
      await console.api.post(`/sources/${body.data.id}/run`, {});
      await follows(2);
    });

    test.each([
      ['eve@example.org', 'Example ID knows you, but you may not use this console.'],
      ['una@example.org', 'Example ID has not verified your e-mail address.'],
    ])('%s is refused with a sentence', async (email, sentence) => {
      const page = await console.open('/console', { isSignedOut: true });
      await page.getByRole('link', { name: SIGN_IN }).click();
      await passProvider(page, email);
      await page.getByRole('alert').getByText(sentence).waitFor();
      expect(page.url()).toBe(`${console.cloud.origin}/console`);
    });

    test('a person who cancels at the provider, or waits too long, reads that', async () => {
      const page = await console.open('/console', { isSignedOut: true });
      await page.getByRole('link', { name: SIGN_IN }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.getByRole('alert').getByText('Example ID did not allow the sign-in').waitFor();
      await page.getByRole('link', { name: SIGN_IN }).click();
      await page.getByPlaceholder('Enter any login').waitFor();
      later(11 * MINUTE_MS);
      await passProvider(page, 'ada@example.org');
      await page.getByRole('alert').getByText('The sign-in took too long').waitFor();
    });

    test('a page goes on over renewals: a new key of the provider, its clock 4 minutes off, and without it', async () => {
      const page = await openAs('ada@example.org', '/console/webhooks');
      await heading(page, 'Webhooks');
      const refreshes = () => provider.grants.filter((grant) => grant === 'refresh_token').length;
      for (const offset of [240, -240]) {
        provider.rotateKeys();
        const before = refreshes();
        later(16 * MINUTE_MS, offset);
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sources' }).click();
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
        await expect.poll(refreshes, { timeout: 60_000 }).toBe(before + 1);
        await loaded(page);
        await signedInAs(page, 'ada@example.org owner of admin');
      }
      await provider.down();
      later(16 * MINUTE_MS);
      await page.goto(`${console.cloud.origin}/console/sources`);
      await signedInAs(page, 'ada@example.org owner of admin');
      await provider.up();
    });

    test('a person who is taken out of the group is at the form after the next renewal', async () => {
      const page = await openAs('ben@example.org', '/console/webhooks');
      await signedInAs(page, 'ben@example.org viewer of admin');
      provider.accounts.set('ben@example.org', { groups: [] });
      later(16 * MINUTE_MS);
      await page.getByRole('alert').getByText('session has ended').waitFor();
      expect(page.url()).toBe(`${console.cloud.origin}/console/webhooks`);
      provider.accounts.set('ben@example.org', { groups: ['staff'] });
      await page.getByRole('link', { name: SIGN_IN }).click();
      await signedInAs(page, 'ben@example.org viewer of admin');
      expect(page.url()).toBe(`${console.cloud.origin}/console/webhooks`);
    });

    test('a person of two users chooses one on Me, and sees its things', async () => {
      await console.api.as(shop.key).post('/webhooks', { url: 'http://127.0.0.1:9/shop', name: 'Of the shop' });
      const page = await openAs('ada@example.org', '/console/me');
      const name = (await console.api.as(shop.key).get('/users/me')).body.data.username;
      await page.getByRole('region', { name: 'About' }).getByRole('link', { name }).click();
      await signedInAs(page, `ada@example.org viewer of ${name}`);
      await page.goto(`${console.cloud.origin}/console/webhooks`);
      await page.getByRole('link', { name: 'Of the shop' }).waitFor();
    });

    test('a viewer gets no button that changes something, on any page', async () => {
      const content = await makeContent(console);
      const patterns = ROUTES.map((route) =>
        route
          .replace('/webhooks/:id', '/webhooks/WEBHOOK')
          .replace('/components/:id', '/components/COMPONENT')
          .replace('/workflows/:id', '/workflows/WORKFLOW')
          .replace(':id', 'SOURCE')
          .replace(':triggerId', 'RUN')
          .replace(':deliveryId', 'DELIVERY'),
      );
      const page = await openAs('ben@example.org', '/console/webhooks');
      const changes: string[] = [];
      page.on('request', (request) => {
        if (request.method() !== 'GET' && !request.url().endsWith('/sse_tokens')) changes.push(request.url());
      });
      const buttons = new Set<string>();
      for (const pattern of patterns) {
        await page.goto(console.cloud.origin + addressIn(content, pattern));
        await loaded(page);
        const entry = page.getByRole('list', { name: 'Events' }).getByRole('button').first();
        if (await entry.isVisible()) await entry.click();
        // The fields of a page's form are disabled, and so are their buttons.
        for (const button of await page.getByRole('main').getByRole('button', { disabled: false }).all())
          buttons.add((await button.getAttribute('aria-label')) ?? (await button.innerText()).trim());
        expect(
          await page.getByRole('main').locator('a[href$="/new"].button, input[type=checkbox]:enabled').count(),
        ).toBe(0);
      }
      expect(
        [...buttons].filter((name) =>
          /create|delete|remove|edit|add |save$|enable|disable|rotate|recover|redeliver|run$|send (?!to localhost)|connect|more actions|test|new /i.test(
            name,
          ),
        ),
      ).toEqual([]);
      expect(changes.filter((url) => !/props|reload/.test(url))).toEqual([]);
    });
  },
  () => ({ ...OTHER_HOST, clock }),
);
