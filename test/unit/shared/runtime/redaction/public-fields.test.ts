import { describe, expect, test } from 'vitest';
import { isPublicField } from '../../../../../shared/runtime/redaction/public-fields.ts';
import { OAUTH_PROVIDERS } from '../../../../../shared/domain/oauth/providers.ts';

const LONG = 'abcdefgh12345678';

describe('a field of an account is a credential', () => {
  test.each([
    ...['api_key', 'apiKey', 'apikey', 'APIKey', 'api_keys', 'your_api_key', 'yourapikey', 'access_key_id', 'sshKey'],
    ...['AuthToken', 'auth_token', 'authtoken', 'oauth_access_token', 'OAuthToken', 'oauth_refresh_token', 'IDToken'],
    ...['bot_token', 'bot-token', 'token2', 'tokens', 'webhook_secret', 'webhook_url', 'webHookUrl', 'client_secret'],
    ...['pin', 'user_pin', 'otp', 'pat', 'user_pat', 'session_id', 'cookie', 'private_key', 'private_id', 'cert'],
    ...['password', 'passWord', 'pwd', 'mail_pass', 'smtppass_user', 'passphrase', 'passcode', 'pem', 'dsn'],
    ...['basic_auth', 'httpauth_user', 'jwt', 'bearer', 'signature', 'account_credential', 'hook_url'],
    // No word of these is known.
    ...['custom', 'x', 'grid', 'plan', 'your', '', '…'],
  ])('when it is called %s', (field) => expect(isPublicField(field, LONG)).toBe(false));

  test.each([
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'SG.abcdefghij.klmnopqrstuvwxyz0123456789ABCDEF',
    'https://hooks.example.com/services/T00000000/XXXXabcd1234efgh5678',
    'https://user:pass@example.com/',
    'https://example.com/?key=1',
    'postgres://user:pass@db.example.com/one',
    'four',
    '4711',
  ])('with an unknown name and the value %s', (value) => expect(isPublicField('custom', value)).toBe(false));

  test.each(['api_key', 'webhook_url', 'session_id', 'pin'])(
    'when it is called %s, whatever its value looks like',
    (field) => {
      for (const value of ['https://example.com', 'me@example.com', 'example.com', '4711', 'x'])
        expect(isPublicField(field, value)).toBe(false);
    },
  );

  test.each([
    ['a password in an address', 'postgres://user:pass@db.example.com/one'],
    ['a user in an address', 'https://user-1@example.com/'],
    ['a key in PEM', '-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n'],
    ['a document with a key', '{\n  "type": "service_account", "private_key": "x" }'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'],
  ])('when it has a public name and holds %s', (_, value) => {
    for (const field of ['database_url', 'service_account', 'instance_url', 'oauth_uid', 'token_type'])
      expect(isPublicField(field, value)).toBe(false);
  });
});

describe('a field of an account is public', () => {
  test.each([
    ...['AccountSid', 'account_sid', 'accountSID', 'accountsid', 'realmId', 'locationId', 'slug', 'store_hash'],
    ...['yourinstance', 'yourInstance', 'your_subdomain', 'YourDomain', 'workspaceSlug', 'teamIDs', 's3_bucket'],
    ...['oauth_uid', 'OAuthUid', 'uid', 'username', 'user_name', 'email', 'host', 'hostname', 'subdomain', 'region'],
    ...['team_id', 'workspace_id', 'organization', 'client_id', 'oauth_client_id', 'instance_name', 'auth0_domain'],
    ...['phone_number', 'base_url', 'base_api_uri', 'dc', 'data_center', 'data_centre', 'platform', 'pod', 'schema'],
    ...['project_ref', 'site', 'tenant', 'company_domain', 'author_id', 'server_prefix', 'cloud_name', 'environment'],
    ...['token_type', 'scope', 'oauth_scopes', 'expires_in', 'token_expires_at', 'grantType'],
  ])('when it is called %s', (field) => expect(isPublicField(field, LONG)).toBe(true));

  test.each([
    'https://gitlab.example.com/api/v4',
    'http://127.0.0.1:8080/blog',
    'acme.example.com',
    'acme.example.com:8443',
    '10.0.0.7',
    'ann@acme.example',
    'redis://cache.example.com:6379',
    'eu',
    'v2',
  ])('with an unknown name and the value %s', (value) => expect(isPublicField('custom', value)).toBe(true));
});

test('only the tokens of built-in providers are credentials', () => {
  const paths = OAUTH_PROVIDERS.flatMap(({ fields = {}, placeholders = {} }) => [
    ...Object.entries(fields),
    ...Object.entries(placeholders).map(([name, { field }]) => [field, `parameter.${name}`] as const),
  ]);
  expect(paths.length).toBeGreaterThan(5);
  for (const [field, path] of paths) expect(isPublicField(field, LONG), field).toBe(path !== 'token.access_token');
});
