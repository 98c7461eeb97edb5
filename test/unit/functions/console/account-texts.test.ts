import { describe, expect, test } from 'vitest';
import { fieldsOfRows, ownRow, rowsOf } from '../../../../functions/console/app/accounts/field-rows.ts';
import { statusText } from '../../../../functions/console/app/accounts/status-text.ts';
import type { Account } from '../../../../functions/console/app/api/wire.ts';
import { AccountId } from '../../../../shared/domain/id.ts';

const ACCOUNT: Account = {
  id: AccountId.parse('apn_1'),
  app: 'github',
  name: 'Work',
  kind: 'oauth',
  field_names: [],
  status: 'connected',
  status_reason: null,
  scopes: [],
  expires_at_ms: null,
  connected_at_ms: 1,
  renewed_at_ms: 1,
  created_at: 1,
  used_by: 0,
};

test.each([
  ['connected', null, 'Connected'],
  ['expiring', 'The provider did not answer.', 'Expiring: The provider did not answer.'],
  ['needs_reconnect', 'It was revoked.', 'Needs a new sign-in: It was revoked.'],
  ['needs_reconnect', null, 'Needs a new sign-in'],
] as const)('the status %s with the reason %j reads as words', (status, reason, text) => {
  expect(statusText({ ...ACCOUNT, status, status_reason: reason })).toBe(text);
});

describe('the boxes of fields', () => {
  const named = (name: string, value: string) => ({ ...ownRow(), name, value });

  test('a box is there for each known field, and one to be named when none is known', () => {
    expect(rowsOf(['api_key', 'region']).map(({ name }) => name)).toEqual(['api_key', 'region']);
    expect(rowsOf([])).toEqual([{ name: '', value: '', isNamedHere: true }]);
  });

  test('empty boxes are left out, and values stay as they are typed', () => {
    const rows = [...rowsOf(['region']), named(' api_key ', ' s3cret '), ownRow()];
    expect(fieldsOfRows(rows)).toEqual({ api_key: ' s3cret ' });
  });

  test('a field may have the name of a member of every object', () => {
    expect(JSON.stringify(fieldsOfRows([named('__proto__', 'x'), named('constructor', 'y')]))).toBe(
      '{"__proto__":"x","constructor":"y"}',
    );
  });

  test.each([
    [[named('', 'x')], 'Give each field that has a value a name.'],
    [[named('a', 'x'), named('a ', 'y')], 'The field a is there twice.'],
  ])('%j is refused in a sentence', (rows, sentence) => {
    expect(() => fieldsOfRows(rows)).toThrow(sentence);
  });
});
