import { beforeEach, expect, test } from 'vitest';
import { removeAccountsOf, type RemoveAccountsServices } from '../../../../../shared/service/users/remove-accounts.ts';
import type { Account } from '../../../../../shared/domain/account/account.ts';
import { AccountId, UserId } from '../../../../../shared/domain/id.ts';
import type { RevocationResult } from '../../../../../shared/domain/oauth/oauth-request.ts';

const owner = UserId.parse('u_1');
let left: Account[];
let revoked: AccountId[];
let clock: number;
/** The function that revokes. */
let revoke: (id: AccountId) => Promise<RevocationResult>;
/** Ids whose removal fails. */
let failing: Set<AccountId>;

beforeEach(() => {
  left = Array.from({ length: 25 }, (_, n) => account(n));
  revoked = [];
  clock = 0;
  failing = new Set();
  revoke = () => Promise.resolve({ state: 'revoked' });
});

function account(n: number, more: object = { oauth: {} }): Account {
  return { id: AccountId.parse(`apn_${100 + n}`), ownerId: owner, ...more } as unknown as Account;
}

const remove = () => {
  const services = {
    accounts: {
      list: () => Promise.resolve([...left]),
      remove: (removed: Account) => {
        if (failing.has(removed.id)) return Promise.reject(new Error('killed'));
        left = left.filter(({ id }) => id !== removed.id);
        return Promise.resolve(true);
      },
    },
    oauthFunction: {
      revoke: ({ accountId }: { accountId: AccountId }) => {
        revoked.push(accountId);
        return revoke(accountId);
      },
    },
    now: () => clock,
  };
  return removeAccountsOf(services as unknown as RemoveAccountsServices, owner);
};

test('the tokens of every account are revoked before it is removed', async () => {
  revoke = (id) => Promise.resolve({ state: left.some((each) => each.id === id) ? 'revoked' : 'not_revoked' });
  expect(await remove()).toEqual({ count: 25, unrevoked: 0 });
  expect(revoked).toHaveLength(25);
  expect(left).toEqual([]);
});

test('a provider that fails, or a function that cannot be asked, keeps no account', async () => {
  const [first, second] = left;
  revoke = (id) =>
    id === first?.id
      ? Promise.reject(new Error('AccessDenied'))
      : Promise.resolve({ state: id === second?.id ? 'not_revoked' : 'kept' });
  expect(await remove()).toEqual({ count: 25, unrevoked: 2 });
  expect(left).toEqual([]);
});

test('after a minute of a provider that hangs, the accounts that are left are removed without it', async () => {
  left = Array.from({ length: 100 }, (_, n) => account(n));
  left.push(account(100, {}));
  revoke = () => {
    clock += 1_000;
    return Promise.resolve({ state: 'not_revoked' });
  };
  expect(await remove()).toEqual({ count: 101, unrevoked: 100 });
  expect(revoked.length).toBe(60);
  expect(left).toEqual([]);
});

test('a command that is interrupted is completed by its repetition', async () => {
  failing.add(AccountId.parse('apn_112'));
  await expect(remove()).rejects.toThrow('killed');
  expect(left).toHaveLength(13);
  failing.clear();
  expect(await remove()).toEqual({ count: 13, unrevoked: 0 });
  expect(left).toEqual([]);
});
