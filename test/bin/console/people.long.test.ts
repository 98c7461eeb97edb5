import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type ConsoleBrowser, describeConsole, intercepting, loaded } from '../../support/console-browser.ts';
import { looksRight } from '../../support/looks-right.ts';
import { PASS } from '../../support/scene.ts';

const PROVIDER = { name: 'Example ID', url: 'https://tributary.example.org/v1/session/sign_in' };
const USERS = [
  { id: 'u_1', name: 'Shop', role: 'owner' },
  { id: 'u_2', name: 'Warehouse', role: 'viewer' },
] as const;

const personAs = (role: 'owner' | 'viewer') => ({
  email: 'ada.lovelace@example.org',
  name: 'Ada Lovelace',
  role,
  user: { id: 'u_1', name: 'Shop' },
  users: [...USERS],
  scopes: role === 'owner' ? ['read', 'send', 'manage'] : ['read'],
  csrf: 'csrf-1',
  expires_at_ms: Date.now() + 3_600_000,
});

interface Stub {
  /** The response of `GET /v1/session`. */
  session: ReturnType<typeof personAs> | null;
  provider: typeof PROVIDER | null;
  /** The API key in the place of the cookie. */
  key: string;
  /** Responses in the place of the service's, by method and path. */
  refuse: (method: string, path: string) => { status: number; code: string; error: string } | undefined;
  /** `x-csrf` of the changes. */
  csrfs: (string | undefined)[];
  reads: number;
}

/** A page of a person: this test has the place of the operations of a session, and of the cookie. */
async function openAs(console: ConsoleBrowser, path: string, stub: Partial<Stub> = {}) {
  const state: Stub = {
    session: personAs('owner'),
    provider: PROVIDER,
    key: console.cloud.key,
    refuse: () => undefined,
    csrfs: [],
    reads: 0,
    ...stub,
  };
  const page = await console.open('/console/nothing', { isSignedOut: true });
  await page.route('**/v1/**', async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/v1/session' && request.method() === 'GET') {
      state.reads += 1;
      await route.fulfill({ json: { data: { sign_in: state.provider, session: state.session } } });
      return;
    }
    if (request.method() !== 'GET') state.csrfs.push(request.headers()['x-csrf']);
    const refusal = state.refuse(request.method(), pathname);
    if (refusal) {
      await route.fulfill({ status: refusal.status, json: refusal });
      return;
    }
    if (pathname === '/v1/session') {
      state.session = null;
      await route.fulfill({ json: { data: { sign_out_url: null } } });
      return;
    }
    const { authorization } = request.headers();
    if (searchParams.has('token') || authorization !== undefined) await route.continue();
    else await route.continue({ headers: { ...request.headers(), authorization: `Bearer ${state.key}` } });
  });
  await intercepting(page);
  await page.goto(console.cloud.origin + path);
  return { page, state };
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const signInLink = (page: Page) => page.getByRole('link', { name: 'Sign in with Example ID' });

describeConsole('the console of a person who is signed in without a key', (console) => {
  let readKey: string;
  let sourceId: string;
  beforeAll(async () => {
    const { body } = await console.api.post('/keys', { name: 'Reader', scopes: ['read'] });
    readKey = body.data.api_key;
    sourceId = (await console.api.post('/sources', { component_code: PASS, name: 'orders' })).body.data.id;
  });

  test('the form offers the provider, and the key as before; without a provider there is the key alone', async () => {
    const { page } = await openAs(console, '/console/sources?state=failed', { session: null });
    await signInLink(page).waitFor();
    const href = new URL((await signInLink(page).getAttribute('href')) ?? '');
    expect(href.origin + href.pathname).toBe(PROVIDER.url);
    expect(href.searchParams.get('return_to')).toBe('/console/sources?state=failed');
    await looksRight(page, 'sign-in-with-provider');
    await page.getByRole('textbox', { name: 'API key' }).fill(console.cloud.key);
    await page.keyboard.press('Enter');
    await heading(page, 'Sources');

    const { page: without } = await openAs(console, '/console', { session: null, provider: null });
    await without.getByRole('textbox', { name: 'API key' }).waitFor();
    await expect.poll(() => without.locator('input:focus').count()).toBe(1);
    expect(await signInLink(without).count()).toBe(0);
  });

  test.each([
    ['denied', 'Example ID did not allow the sign-in, or you cancelled it. Sign in again.'],
    ['not_allowed', 'Example ID knows you, but you may not use this console. Ask your operator to add your address.'],
    [
      'groups_left_out',
      'You are in so many groups that Example ID names none of them. Ask your operator to let it send only those of this client.',
    ],
    ['unverified', 'Example ID has not verified your e-mail address. Verify it there, then sign in again.'],
    ['provider_failed', 'Example ID did not complete the sign-in. Try again in a minute.'],
    ['expired', 'The sign-in took too long, or began in another browser. Sign in again.'],
    ['too_many', 'Too many sign-ins came from your address. Try again in ten minutes.'],
    ['not_set_up', 'This console has no sign-in by a provider. Use an API key.'],
    ['unavailable', 'The operator has paused changes. Try again later.'],
    ['"><b>other', 'The sign-in failed. Try again.'],
  ])('the refusal %s is one sentence, and leaves the address', async (code, sentence) => {
    const { page } = await openAs(console, `/console?sign_in=${encodeURIComponent(code)}`, { session: null });
    await page.getByRole('alert').getByText(sentence, { exact: true }).waitFor();
    expect(page.url()).toBe(`${console.cloud.origin}/console`);
    if (code === 'not_allowed') await looksRight(page, 'sign-in-not-allowed');
  });

  test('the frame and the page Me tell who is signed in, and the users to choose from', async () => {
    const { page } = await openAs(console, '/console/me');
    await heading(page, 'Me');
    await loaded(page);
    await page.getByRole('link', { name: 'Signed in as ada.lovelace@example.org owner of Shop' }).waitFor();
    const about = page.getByRole('region', { name: 'About' });
    await about.getByText('Ada Lovelace (ada.lovelace@example.org)').waitFor();
    await about.getByText('owner: reads and changes everything, API keys included').waitFor();
    const href = new URL((await about.getByRole('link', { name: 'Warehouse' }).getAttribute('href')) ?? '');
    expect(href.searchParams.get('user')).toBe('u_2');
    await page.getByText('You are signed in without a key. Keys are for programs').waitFor();
    expect(await page.getByRole('button', { name: 'Show key' }).count()).toBe(0);
    await looksRight(page, 'me-of-owner');
  });

  test('changes carry the token against forged requests, and a stale session is renewed once and unseen', async () => {
    const stale = { status: 401, code: 'session_stale', error: 'The session must be renewed.' };
    const { page, state } = await openAs(console, '/console/webhooks/new');
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/');
    const before = state.reads;
    let isStale = true;
    state.refuse = (method) => {
      if (!isStale || method !== 'POST') return undefined;
      isStale = false;
      state.session = { ...personAs('owner'), csrf: 'csrf-2' };
      return stale;
    };
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('The webhook was created.').waitFor();
    expect(state.reads).toBe(before + 1);
    expect(state.csrfs).toEqual(['csrf-1', 'csrf-2']);
    expect(await page.evaluate(`sessionStorage.getItem('tributary.key')`)).toBeNull();
  });

  test('a request is not sent again as another person', async () => {
    const { page, state } = await openAs(console, '/console/webhooks/new');
    await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:9/other');
    state.refuse = (method) =>
      method === 'POST' ? { status: 403, code: 'missing_csrf', error: 'The header x-csrf is wrong.' } : undefined;
    state.session = { ...personAs('owner'), email: 'eve@example.org', csrf: 'csrf-of-eve' };
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('link', { name: 'Signed in as eve@example.org owner of Shop' }).waitFor();
    expect(state.csrfs).toEqual(['csrf-1']);
    // The form of the person before is gone.
    expect(await page.getByRole('textbox', { name: 'URL' }).inputValue()).toBe('');
  });

  test('a session that ends while a page is open leads to the form, and back to the page', async () => {
    const { page, state } = await openAs(console, '/console/sources?q=orders');
    await page.getByRole('link', { name: 'orders', exact: true }).waitFor();
    state.session = null;
    state.refuse = () => ({ status: 401, code: 'unauthenticated', error: 'The session has ended. Sign in again.' });
    await page.getByRole('alert').getByText('The session has ended. Sign in again.').waitFor();
    const href = new URL((await signInLink(page).getAttribute('href')) ?? '');
    expect(href.searchParams.get('return_to')).toBe('/console/sources?q=orders');
  });

  test('a sign-out ends the session at the service', async () => {
    const { page, state } = await openAs(console, '/console/me');
    await heading(page, 'Me');
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    await signInLink(page).waitFor();
    expect(state.csrfs).toEqual(['csrf-1']);
    await page.reload();
    await signInLink(page).waitFor();
  });

  test('events come live, by a token of their stream', async () => {
    const { page } = await openAs(console, `/console/sources/${sourceId}`);
    await heading(page, 'orders');
    const opened = page.waitForRequest((request) => new URL(request.url()).pathname.endsWith('/sse'));
    await page.reload();
    const request = await opened;
    expect(request.headers()['authorization']).toBeUndefined();
    expect(new URL(request.url()).searchParams.get('token')).toMatch(/^lt_/);
    await console.api.post(`/sources/${sourceId}/run`, { n: 'live' });
    await page.getByRole('list', { name: 'Events' }).getByText('live').first().waitFor();
  });

  test('the session is read every five minutes while the tab is visible', async () => {
    const { page, state } = await openAs(console, '/console/nothing');
    await page.clock.install();
    await page.goto(`${console.cloud.origin}/console/no-such-page`);
    await heading(page, 'Not found');
    const before = state.reads;
    await page.clock.runFor(4 * 60_000);
    expect(state.reads).toBe(before);
    await page.clock.runFor(90_000);
    await expect.poll(() => state.reads).toBe(before + 1);
  });

  test('a key of the tab comes before the person', async () => {
    const { page, state } = await openAs(console, '/console/no-such-page');
    await page.getByRole('link', { name: 'Signed in as' }).waitFor();
    await page.goto(`${console.cloud.origin}/console/me#key=${console.cloud.key}`);
    await page.getByRole('button', { name: 'Use the key of the address' }).click();
    await heading(page, 'Me');
    await page.getByRole('button', { name: 'Show key' }).waitFor();
    expect(await page.getByText('ada.lovelace').count()).toBe(0);
    const before = state.reads;
    await page.reload();
    await page.getByRole('button', { name: 'Show key' }).waitFor();
    expect(state.reads).toBe(before);
  });

  test('a viewer sees no button that changes something', async () => {
    const { page } = await openAs(console, '/console/me', { session: personAs('viewer'), key: readKey });
    await page.getByRole('link', { name: 'Signed in as ada.lovelace@example.org viewer of Shop' }).waitFor();
    await loaded(page);
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await looksRight(page, 'me-of-viewer');
    await page.goto(`${console.cloud.origin}/console/sources/${sourceId}`);
    await loaded(page);
    await looksRight(page, 'source-of-viewer');
    expect(await page.getByRole('button', { name: 'Run' }).count()).toBe(0);
    expect(await page.getByText('lacks the scope').count()).toBe(0);
    await page.goto(`${console.cloud.origin}/console/sources/${sourceId}/listeners`);
    await page.getByText('Nothing listens to this source.').waitFor();
    expect(await page.getByText('Press New listener').count()).toBe(0);
  });
});
