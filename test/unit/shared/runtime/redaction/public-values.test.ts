import { describe, expect, test } from 'vitest';
import { isPublicField } from '../../../../../shared/runtime/redaction/public-values.ts';

const LONG = 'abcdefgh12345678';

describe('a field of an account is a credential', () => {
  test.each([
    'api_key',
    'apiKey',
    'oauth_access_token',
    'oauth_refresh_token',
    'bot_token',
    'webhook_secret',
    'webhook_url',
    'client_secret',
    'pin',
    'user_pin',
    'pat',
    'session_id',
    'access_key_id',
    'private_key',
    'password',
    'basic_auth',
    'jwt',
    'cookie',
    'custom',
    'x',
  ])('when it is called %s', (field) => {
    expect(isPublicField(field, LONG)).toBe(false);
  });

  test.each([
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'SG.abcdefghij.klmnopqrstuvwxyz0123456789ABCDEF',
    'https://hooks.example.com/services/T00000000/XXXXabcd1234efgh5678',
    'https://user:pass@example.com/',
    'https://example.com/?key=1',
    'postgres://user:pass@db.example.com/one',
  ])('with an unknown name and the value %s', (value) => expect(isPublicField('custom', value)).toBe(false));

  test.each(['api_key', 'webhook_url', 'session_id', 'pin'])(
    'when it is called %s, whatever its value looks like',
    (field) => {
      for (const value of ['https://example.com', 'me@example.com', 'example.com', '4711'])
        expect(isPublicField(field, value)).toBe(false);
    },
  );
});

describe('a field of an account is public', () => {
  test.each([
    'oauth_uid',
    'uid',
    'username',
    'user_name',
    'email',
    'host',
    'subdomain',
    'region',
    'team_id',
    'workspace_id',
    'organization',
    'account_sid',
    'client_id',
    'instance_name',
    'phone_number',
    'token_type',
    'scope',
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
