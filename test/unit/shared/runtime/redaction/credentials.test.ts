import { expect, test } from 'vitest';
import { credentialsIn } from '../../../../../shared/runtime/redaction/credentials.ts';

const secret = (name: string) => ({ name, fields: { secret: true } });

/** The credentials among one account's fields. */
const of = ($auth: object) => [...credentialsIn({ app: { $auth } })];

test('secret props are credentials, and so are account fields that are not public', () => {
  const $auth = { token: 'token-123', email: 'ann@acme.example', nested: { a: ['xyzzy!'] }, number: 7 };
  const props = { app: { $auth }, secret: 'ann@secret.example', code: 123456, open: 'said' };
  const declarations = [secret('secret'), secret('code'), { name: 'open', fields: {} }];
  expect([...credentialsIn(props, declarations)]).toEqual([...['ann@secret.example', '123456', 'token-123', 'xyzzy!']]);
});

test('a value that is a credential in one field is a credential everywhere', () => {
  const SAME = 'one-for-both';
  for (const name of ['username', 'AccountSid', 'instance_url', 'region', 'token_type'])
    expect(of({ [name]: SAME, api_key: SAME }), name).toEqual([SAME]);
  expect([...credentialsIn({ app: { $auth: { slug: SAME } }, p: SAME }, [secret('p')])]).toEqual([SAME]);
  expect([...credentialsIn({ one: { $auth: { uid: SAME } }, two: { $auth: { token: SAME } } })]).toEqual([SAME]);
});

test('a public name within a credential is a credential', () => {
  expect(of({ token: { id: 'id-of-token' }, user: { id: 'id-of-user', key: 'key-of-user' } })).toEqual([
    'id-of-token',
    'key-of-user',
  ]);
});

test('a value of up to three characters is a credential only if its field is named as one', () => {
  expect(of({ pin: '471', password: 'abc', custom: 'x7', plan: 'free' })).toEqual(['471', 'abc', 'free']);
});

test('empty values and flags are never redacted', () => {
  expect(of({ token: '', has_private_key: 'true', user_id: 'no' })).toEqual([]);
});
