import { expect, test } from 'vitest';
import type { Account } from '../../../../../shared/domain/account/account.ts';
import type { Component } from '../../../../../shared/domain/component/component.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { accountWarnings } from '../../../../../shared/service/accounts/account-warnings.ts';

const userId = UserId.parse('u_1');
const account = (more: object) =>
  ({ id: 'apn_1', ownerId: userId, app: 'github', fieldNames: [], ...more }) as unknown as Account;
const warningsFor = (found: Account | undefined) =>
  accountWarnings(
    { find: () => Promise.resolve(found) },
    {
      userId,
      component: {
        description: {
          props: [{ name: 'github', type: 'app', app: 'github' }],
        } as unknown as Component['description'],
        authReads: [{ names: ['oauth_access_token', 'org'], apps: ['github'] }],
      },
      additionalProps: undefined,
      props: { github: { authProvisionId: 'apn_1' } },
    },
  );

test('an account lacks the fields that neither it nor the provider of its app fills', async () => {
  expect(await warningsFor(account({ fieldNames: ['org'] }))).toEqual([
    'The component reads github.$auth.oauth_access_token, and the account apn_1 of github has no field of that name.',
  ]);
  const oauth = { providedFields: ['oauth_access_token'] };
  expect(await warningsFor(account({ fieldNames: ['org'], oauth }))).toEqual([]);
  expect(await warningsFor(account({ oauth }))).toEqual([
    expect.stringContaining('reads github.$auth.org, and'),
  ]);
});

test('nothing is said of an account that is gone, or of another user or app', async () => {
  for (const found of [undefined, account({ ownerId: 'u_2' }), account({ app: 'slack' })])
    expect(await warningsFor(found)).toEqual([]);
});
