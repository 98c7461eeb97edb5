import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isPlaceholderValue, ProviderEntry } from '../../../../../shared/domain/oauth/provider.ts';
import { OAUTH_PROVIDERS, providerNamed, providerOfApp } from '../../../../../shared/domain/oauth/providers.ts';
import { Quirk } from '../../../../../shared/domain/oauth/quirk.ts';
import { tableIn } from '../../../../support/doc-table.ts';

const PROMISED =
  `airtable asana atlassian basecamp bitbucket box calendly clickup discord docusign dropbox eventbrite figma fitbit
  front github gitlab google hubspot intercom linkedin mailchimp microsoft miro monday notion paypal pipedrive podio quickbooks
  reddit ringcentral salesforce shopify slack spotify square strava stripe surveymonkey todoist twitch twitter typeform webex
  webflow xero zendesk zoho zoom`.split(/\s+/);

/** The sources of each provider's facts, and the facts that no source confirms. */
const ProviderSources = z.strictObject({
  missing: z.array(z.string().min(1)),
  sources: z
    .array(
      z.strictObject({
        url: z.url({ protocol: /^https$/ }),
        /** The day on which the page, or a stored copy of it, was looked up. */
        checked: z.iso.date(),
      }),
    )
    .min(1),
});
const sourcesOf = z
  .record(z.string(), ProviderSources)
  .parse(JSON.parse(readFileSync(new URL('provider-sources.json', import.meta.url), 'utf8')));
const missingOf = (name: string): string => sourcesOf[name]?.missing.join('; ') ?? '';

const named = OAUTH_PROVIDERS.map((entry) => [entry.name, entry] as const);
const addressesOf = ({ authorization, token, refresh, revocation, identity }: ProviderEntry): string[] =>
  [authorization, token, refresh, revocation, identity?.address].flatMap((address) => address ?? []);
const scopesOf = ({ scopes, apps }: ProviderEntry): string[] => [scopes, ...Object.values(apps)].flat();

test('every provider that is promised is there, once', () => {
  expect(OAUTH_PROVIDERS.map(({ name }) => name)).toEqual(PROMISED);
});

test('says where the facts of each provider come from, and when they were looked up', () => {
  expect(Object.keys(sourcesOf)).toEqual(PROMISED);
});

test('no app belongs to two providers', () => {
  const apps = OAUTH_PROVIDERS.flatMap((entry) => Object.keys(entry.apps));
  expect(apps.filter((app, index) => apps.indexOf(app) !== index)).toEqual([]);
});

test('a provider is found by its name and by its apps', () => {
  expect(providerNamed('google')?.title).toBe('Google');
  expect(providerNamed('nobody')).toBeUndefined();
  expect(providerNamed('__proto__')).toBeUndefined();
  expect(providerOfApp('google_sheets')?.name).toBe('google');
  expect(providerOfApp('salesforce_rest_api')?.name).toBe('salesforce');
  expect(providerOfApp('google')).toBeUndefined();
  for (const entry of OAUTH_PROVIDERS)
    for (const app of Object.keys(entry.apps)) expect(providerOfApp(app), app).toBe(entry);
});

test('an entry without a common fact has the common one', () => {
  const common = { scopeSeparator: ' ', scopes: [], pkce: 'none', tokenAuth: 'post', quirks: [] };
  expect(providerNamed('intercom')).toMatchObject(common);
  expect(providerNamed('eventbrite')?.redirect).toEqual({ loopback: 'unknown', localhost: 'unknown' });
});

describe.each(named)('%s', (_, entry) => {
  test('has the form of an entry', () => {
    expect(ProviderEntry.safeParse(entry).error).toBeUndefined();
  });

  test('has https addresses only', () => {
    expect(addressesOf(entry).filter((address) => !address.startsWith('https://'))).toEqual([]);
  });

  test('declares the placeholders of its addresses, and no others', () => {
    const used = addressesOf(entry).flatMap((address) => [...address.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name));
    expect([...new Set(used)].sort()).toEqual(Object.keys(entry.placeholders ?? {}).sort());
  });

  test('has scopes of visible ASCII without space, quote and backslash', () => {
    expect(scopesOf(entry).filter((scope) => !/^[!-~]+$/.test(scope) || /["\\]/.test(scope))).toEqual([]);
    expect(scopesOf(entry).filter((scope) => scope.includes(entry.scopeSeparator))).toEqual([]);
  });

  test('names what it leaves out', () => {
    const missing = missingOf(entry.name);
    if (!entry.revocation) expect(missing).toMatch(/revocation/);
    if (!entry.identity) expect(missing).toMatch(/identity address/);
    if (!entry.uid) expect(missing).toMatch(/uid/);
    if (!entry.refreshToken) expect(missing).toMatch(/whether the refresh token rotates/);
    if (entry.redirect.loopback === 'unknown') expect(missing).toMatch(/redirect address/);
    if (entry.redirect.loopback !== 'unknown') expect(missing).not.toMatch(/redirect address/);
  });

  test('has no refresh tokens only where access tokens live on', () => {
    if (entry.refreshToken === 'none') expect(entry.lifetime).toBe('never');
  });
});

describe('the form of an entry', () => {
  const entry = providerNamed('shopify');
  const errorsOf = (change: object) => ProviderEntry.safeParse({ ...entry, ...change }).error?.message ?? '';

  test.each([
    ['an address without TLS', { token: 'http://{shop}.myshopify.com/token' }, /must be an https address/],
    ['an address that is none', { token: 'shop' }, /must be an https address/],
    ['a placeholder that is not declared', { token: 'https://{region}.example.com' }, /\[region,shop\]/],
    ['a placeholder that no address has', { placeholders: {} }, /\[shop\], declared are \[\]/],
    ['a scope with a space', { scopes: ['read write'] }, /scopes/],
    ['a scope with a quote', { apps: { shopify: ['"read'] } }, /apps/],
    ['a uid of an identity answer that nobody asks for', { uid: 'identity.id' }, /no identity address/],
    ['a field of an unknown placeholder', { fields: { a: 'parameter.region' } }, /no such placeholder/],
    ['a path into a prototype', { uid: 'token.__proto__.id' }, /uid/],
    ['a field with a name that no account may have', { fields: { 'a b': 'token.id' } }, /fields/],
    ['an unknown quirk', { quirks: ['odd'] }, /quirks/],
    ['a misspelt key', { scope: [] }, /scope/],
  ])('refuses %s', (_, change, message) => {
    expect(errorsOf({})).toBe('');
    expect(errorsOf(change)).toMatch(message);
  });
});

describe('the value of a placeholder', () => {
  const shop = { title: 'Shop', field: 'shop_id' };
  const domain = providerNamed('zoho')?.placeholders?.domain ?? shop;

  test('is one DNS label by default', () => {
    for (const value of ['acme', 'a', 'acme-2', 'a'.repeat(63)]) expect(isPlaceholderValue(shop, value)).toBe(true);
    for (const value of ['', '-acme', 'acme-', 'a.b', 'a/b', 'a@b', 'a#', 'acme\n', 'ACME', 'ä', 'a'.repeat(64)])
      expect(isPlaceholderValue(shop, value), value).toBe(false);
  });

  test('matches as a whole the pattern of the entry', () => {
    for (const value of ['zoho.com', 'zoho.eu', 'zoho.com.au', 'zoho.com.cn'])
      expect(isPlaceholderValue(domain, value)).toBe(true);
    for (const value of ['zoho', 'evil.com', 'zoho.com.evil.com', 'xzoho.com', 'zohoxcom', 'zoho.com/'])
      expect(isPlaceholderValue(domain, value), value).toBe(false);
  });
});

describe('quirks', () => {
  test('each is one of a provider', () => {
    const used = new Set(OAUTH_PROVIDERS.flatMap(({ quirks }) => quirks));
    expect(Quirk.options.filter((quirk) => !used.has(quirk))).toEqual([]);
  });
});

test('docs/providers.md shows the table', () => {
  const code = (text: string) => `\`${text}\``;
  expect(tableIn('docs/providers.md', 'Providers')).toEqual(
    OAUTH_PROVIDERS.map(({ name, apps, redirect }) => [
      code(name),
      Object.keys(apps).map(code).join(', '),
      redirect.loopback,
      redirect.localhost,
      missingOf(name),
    ]),
  );
});

test('docs/providers.md shows the notes', () => {
  const [, section = ''] = readFileSync('docs/providers.md', 'utf8').split('## Notes on registering an app\n');
  const [notes = ''] = section.split('\n## ');
  expect(notes.trim().split('\n')).toEqual(
    OAUTH_PROVIDERS.flatMap(({ title, note }) => (note === undefined ? [] : `- **${title}**: ${note}`)),
  );
});

test('docs/providers.md explains each quirk in one sentence', () => {
  const rows = tableIn('docs/providers.md', 'Quirks');
  expect(rows.map(([quirk]) => quirk)).toEqual(Quirk.options.map((quirk) => `\`${quirk}\``));
  for (const [, meaning] of rows) expect(meaning).toMatch(/^[A-Z].*\.$/);
});
