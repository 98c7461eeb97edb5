import { describe, expect, test } from 'vitest';
import {
  hiddenValues,
  isCredential,
  ownWords,
} from '../../../../../shared/runtime/redaction/account-fields.ts';

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
    for (const value of [LONG, 'https://example.com', 'me@example.com'])
      expect(isCredential(field, value)).toBe(value === LONG || !['custom', 'x'].includes(field));
  });

  test.each([
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
    'SG.abcdefghij.klmnopqrstuvwxyz0123456789ABCDEF',
    'https://hooks.example.com/services/T00000000/XXXXabcd1234efgh5678',
    'https://user:pass@example.com/',
    'https://example.com/?key=1',
    'postgres://user:pass@db.example.com/one',
  ])('of an unknown name and the value %s', (value) => expect(isCredential('custom', value)).toBe(true));
});

describe('a field of an account says who or where it is', () => {
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
  ])('when it is called %s', (field) => expect(isCredential(field, LONG)).toBe(false));

  test.each([
    'https://gitlab.example.com/api/v4',
    'http://127.0.0.1:8080/blog',
    'acme.example.com',
    'acme.example.com:8443',
    '10.0.0.7',
    'ann@acme.example',
    'redis://cache.example.com:6379',
  ])('of an unknown name and the value %s', (value) => expect(isCredential('custom', value)).toBe(false));
});

test('fields of accounts and secret props are told from what the user said in the open', () => {
  const declarations = [
    { name: 'secret', type: 'string', fields: { secret: true } },
    { name: 'code', type: 'integer', fields: { secret: true } },
    { name: 'open', type: 'string', fields: {} },
  ];
  const $auth = {
    token: 'token-123',
    email: 'ann@acme.example',
    pin: '4711',
    empty: '',
    nested: { a: ['xyzzy!'] },
  };
  const props = { app: { $auth }, secret: 'ann@secret.example', code: 123456, open: 'said' };
  const { credentials, others } = hiddenValues(props, declarations);
  expect([...credentials]).toEqual(['token-123', 'xyzzy!', 'ann@secret.example', '123456']);
  expect([...others]).toEqual(['ann@acme.example', '4711']);
  expect(ownWords(props, declarations)).toEqual({ open: 'said' });
});

test('what is a credential somewhere is one everywhere', () => {
  const props = { app: { $auth: { api_key: 'one-for-both', username: 'one-for-both' } } };
  const { credentials, others } = hiddenValues(props);
  expect([[...credentials], [...others]]).toEqual([['one-for-both'], []]);
});
