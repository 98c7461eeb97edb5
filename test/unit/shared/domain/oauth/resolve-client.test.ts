import { describe, expect, test } from 'vitest';
import { authorizationUrl, isIssuer } from '../../../../../shared/domain/oauth/authorization-url.ts';
import { ProviderSettings } from '../../../../../shared/domain/oauth/oauth-client.ts';
import { providerAddressProblem } from '../../../../../shared/domain/oauth/provider-address.ts';
import {
  checkedParameters,
  openPlaceholders,
  resolveClient,
  scopesToAsk,
} from '../../../../../shared/domain/oauth/resolve-client.ts';

const shopify = { apps: ['shopify'], provider: 'shopify', settings: {}, clientId: 'id' };
const own = (settings: object) => ({
  apps: ['acme'],
  clientId: 'id',
  settings: ProviderSettings.parse({
    authorization: 'https://acme.example/authorize?fixed=1',
    token: 'https://acme.example/token',
    ...settings,
  }),
});
const resolved = (client: Parameters<typeof resolveClient>[0], parameters = {}) =>
  resolveClient(client, { ownerId: 'u_1', parameters, clientSecret: undefined });

describe('placeholders', () => {
  test('are filled in every address, by values that were checked', () => {
    expect(openPlaceholders(shopify)).toHaveProperty('shop');
    const parameters = checkedParameters(shopify, { shop: 'acme' });
    expect(resolved(shopify, parameters).provider).toMatchObject({
      authorization: 'https://acme.myshopify.com/admin/oauth/authorize',
      token: 'https://acme.myshopify.com/admin/oauth/access_token',
    });
  });

  test.each([
    'evil.example/',
    'evil.example#',
    'a.b',
    'a/../b',
    'a@evil.example',
    '',
    'A',
    '-a',
    'a-',
    'a\n',
    `${'a'.repeat(64)}`,
    '__proto__',
  ])('refuse %j', (shop) => {
    expect(() => checkedParameters(shopify, { shop })).toThrow(/parameters\.shop/);
  });

  test('refuse a missing and an unknown one, and one that the operator has filled', () => {
    expect(() => checkedParameters(shopify, {})).toThrow(/parameters\.shop is required/);
    expect(() => checkedParameters(shopify, { shop: 'a', other: 'b' })).toThrow(/parameters\.other/);
    const filled = { ...shopify, settings: { parameters: { shop: 'acme' } } };
    expect(checkedParameters(filled, {})).toEqual({ shop: 'acme' });
    expect(() => checkedParameters(filled, { shop: 'other' })).toThrow(/no parameters/);
  });
});

describe('addresses of providers', () => {
  test.each(['https://a.example/x', 'https://{sub}.a.example', 'http://127.0.0.1:9/x', 'http://localhost/x'])(
    '%s is taken',
    (address) => {
      expect(providerAddressProblem(address)).toBeUndefined();
    },
  );

  test.each([
    'http://a.example/x',
    'http://127.0.0.1.a.example/',
    'https://user:pw@a.example/',
    'https://a.example/#x',
    'ftp://a.example/',
    'a.example',
  ])('%s is refused', (address) => {
    expect(providerAddressProblem(address)).toBeDefined();
  });
});

describe('the address of a sign-in', () => {
  const asked = { redirectUri: 'https://t.example/connect/callback', state: 's', scopes: ['a b&c', 'd"e'] };

  test('keeps its own query, and nothing of a scope becomes another parameter', () => {
    const url = new URL(authorizationUrl(resolved(own({})), { ...asked, challenge: 'c' }));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      fixed: '1',
      response_type: 'code',
      client_id: 'id',
      redirect_uri: 'https://t.example/connect/callback',
      state: 's',
      scope: 'a b&c d"e',
      code_challenge: 'c',
      code_challenge_method: 'S256',
    });
  });

  test('a parameter of the operator never takes the place of the state or of the redirect address', () => {
    const client = resolved(own({ parameters: { state: 'fixed', redirect_uri: 'https://evil.example', prompt: 'x' } }));
    const { searchParams } = new URL(authorizationUrl(client, asked));
    expect([searchParams.get('state'), searchParams.get('redirect_uri'), searchParams.get('prompt')]).toEqual([
      's',
      asked.redirectUri,
      'x',
    ]);
  });

  test('scopes of the request replace those of the app, and keep what renewal needs', () => {
    const google = { apps: ['gmail'], provider: 'google', settings: {}, clientId: 'id' };
    expect(scopesToAsk(google, 'gmail')).toEqual(['openid', 'https://www.googleapis.com/auth/gmail.readonly']);
    expect(scopesToAsk(google, 'gmail', ['x'])).toEqual(['openid', 'x']);
    expect(scopesToAsk({ ...google, settings: { scopes: ['y'] } }, 'gmail')).toEqual(['y']);
  });
});

test('an issuer equals that of the client, or has the origin of the sign-in address', () => {
  const { provider } = resolved(own({}));
  expect(isIssuer('https://acme.example', provider)).toBe(true);
  expect(isIssuer('https://acme.example/tenant', provider)).toBe(true);
  for (const iss of ['https://acme.example.evil.example', 'http://acme.example', 'x', ''])
    expect(isIssuer(iss, provider), iss).toBe(false);
  const strict = resolved(own({ issuer: 'https://acme.example/tenant' })).provider;
  expect(isIssuer('https://acme.example', strict)).toBe(false);
});
