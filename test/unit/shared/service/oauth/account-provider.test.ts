import { afterEach, beforeEach, expect, test } from 'vitest';
import { AccountId, OAuthClientId } from '../../../../../shared/domain/id.ts';
import type { ResolvedClient } from '../../../../../shared/domain/oauth/resolved-client.ts';
import type { ConnectedAccount } from '../../../../../shared/service/oauth/leased-account.ts';
import { createAccountProvider } from '../../../../../shared/service/oauth/account-provider.ts';
import { type OAuthWorld, oauthWorld } from '../../../../support/world/oauth.ts';

const OTHER = AccountId.parse('apn_other');

let world: OAuthWorld;
let account: ConnectedAccount;
let revoked: string[];
let owners: string[];
/** Accounts that have the login besides the own one. */
let others: Record<string, ConnectedAccount>;

beforeEach(async () => {
  world = await oauthWorld({ uid: 'ada' });
  account = await world.found();
  revoked = [];
  owners = [];
  others = {};
});
afterEach(() => world.close());

const open = (isRegistered = true) =>
  createAccountProvider({
    accounts: { find: (id) => Promise.resolve(others[id]) },
    logins: { accountsOf: () => Promise.resolve([account.id, OTHER]) },
    readClient: ({ client, ownerId }) => {
      expect(client).toBe(OAuthClientId.parse('oc_1'));
      owners.push(ownerId);
      return Promise.resolve(isRegistered ? ({ clientId: 'client-1' } as ResolvedClient) : undefined);
    },
    requests: {
      exchange: () => Promise.reject(new Error('not here')),
      refresh: () => Promise.resolve({ kind: 'void', reason: 'Revoked.' }),
      identity: () => Promise.resolve({ kind: 'passing', reason: 'Down.' }),
      revoke: (_, { accessToken }) => Promise.resolve(revoked.push(accessToken) > 0),
    },
  })(account);

test("requests to the provider count as those of the account's user", async () => {
  expect((await open())?.clientId).toBe('client-1');
  expect(owners).toEqual([account.ownerId]);
});

test('there is no provider without a registered client', async () => {
  expect(await open(false)).toBeUndefined();
});

test('an identity address that does not answer says nothing about a token', async () => {
  expect(await (await open())?.isValid('access')).toBeUndefined();
});

test('tokens are revoked unless another account has the same login', async () => {
  const provider = await open();
  others = { [OTHER]: account };
  await provider?.revoke({ accessToken: 'kept', fields: {} });
  others = { [OTHER]: { ...account, oauth: { ...account.oauth, uid: 'eve' } } };
  await provider?.revoke({ accessToken: 'ended', fields: {} });
  expect(revoked).toEqual(['ended']);
});
