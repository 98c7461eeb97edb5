import { expect, test } from 'vitest';
import { accountValues } from '../../../../../shared/runtime/redaction/account-fields.ts';

const secret = (name: string) => ({ name, fields: { secret: true } });

/** The values of one account's fields. */
const valuesOf = ($auth: object) => {
  const { credentials, publicValues } = accountValues({ app: { $auth } });
  return { credentials: [...credentials], publicValues: [...publicValues] };
};

test('account fields are credentials or known public values; secret props are credentials', () => {
  const $auth = { token: 'token-123', email: 'ann@acme.example', nested: { a: ['xyzzy!'] }, number: 7 };
  const props = { app: { $auth }, secret: 'ann@secret.example', code: 123456, open: 'said' };
  const declarations = [secret('secret'), secret('code'), { name: 'open', fields: {} }];
  const { credentials, publicValues } = accountValues(props, declarations);
  expect([...credentials]).toEqual(['ann@secret.example', '123456', 'token-123', 'xyzzy!']);
  expect([...publicValues]).toEqual(['ann@acme.example', '7']);
});

test('a value that is a credential in one field is a credential everywhere', () => {
  expect(valuesOf({ api_key: 'one-for-both', username: 'one-for-both' })).toEqual({
    credentials: ['one-for-both'],
    publicValues: [],
  });
});

test('a short value is a credential only if its field is named as one', () => {
  expect(valuesOf({ pin: '4711', password: 'abc', custom: 'x7', plan: 'free' })).toEqual({
    credentials: ['4711', 'abc'],
    publicValues: ['x7', 'free'],
  });
});

test('empty values and flags are never redacted', () => {
  expect(valuesOf({ token: '', has_private_key: 'true', user_id: 'no' })).toEqual({
    credentials: [],
    publicValues: [],
  });
});
