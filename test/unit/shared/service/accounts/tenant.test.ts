import { describe, expect, test } from 'vitest';
import { UserId } from '../../../../../shared/domain/id.ts';
import { tenantOf } from '../../../../../shared/service/accounts/tenant.ts';

const ownerId = UserId.parse('u_1');
const request = (processKey: string, props: Record<string, unknown> = {}) => ({ ownerId, processKey, props });
const account = (token?: string) => ({ slack: { $auth: token === undefined ? {} : { token } } });

describe('the tenant of a request to the runner', () => {
  const tenant = tenantOf('source');

  test('is the user for sources without an account', () => {
    expect(tenant(request('dc_1', { url: 'https://a.example', list: [1] }))).toBe('u_1');
    expect(tenant(request('describe-abc'))).toBe('u_1');
  });

  test('is the source for a source with an account, also when the account has no usable fields', () => {
    expect(tenant(request('dc_1', account('a')))).toBe('u_1/dc_1');
    expect(tenant(request('dc_2', account('a')))).toBe('u_1/dc_2');
    expect(tenant(request('dc_2', account()))).toBe('u_1/dc_2');
  });

  test('is the user for every source with the stage setting `user`', () => {
    expect(tenantOf('user')(request('dc_1', account('a')))).toBe('u_1');
  });
});
