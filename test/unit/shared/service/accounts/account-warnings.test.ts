import { describe, expect, test } from 'vitest';
import type { Account } from '../../../../../shared/domain/account/account.ts';
import type { Component } from '../../../../../shared/domain/component/component.ts';
import type { Source } from '../../../../../shared/domain/source/source.ts';
import { UserId } from '../../../../../shared/domain/id.ts';
import { accountWarnings } from '../../../../../shared/service/accounts/account-warnings.ts';

const userId = UserId.parse('u_1');
const account = (more: object) =>
  ({ id: 'apn_1', ownerId: userId, app: 'github', fieldNames: [], ...more }) as unknown as Account;
const warningsFor = (
  found: Account | undefined,
  {
    app = 'github',
    names = ['oauth_access_token', 'org'],
    props = { [app]: { authProvisionId: 'apn_1' } },
  }: { app?: string; names?: string[]; props?: Record<string, unknown> } = {},
) =>
  accountWarnings(
    { find: () => Promise.resolve(found) },
    {
      userId,
      component: {
        description: {
          props: [{ name: app, type: 'app', app }],
        } as unknown as Component['description'],
        authReads: [{ names, apps: [app] }],
      },
      configuration: { configuredProps: props } as unknown as Source['configuration'],
      traits: {
        hasRun: true,
        hooks: [],
        customResponse: false,
        appProps: { [app]: app },
        neededAccounts: [app],
      },
    },
  );

test('an account lacks the fields that neither it nor the provider of its app fills', async () => {
  expect(await warningsFor(account({ fieldNames: ['org'] }))).toEqual([
    'The component reads github.$auth.oauth_access_token, and the account apn_1 of github has no field of that name.',
  ]);
  const oauth = { providedFields: ['oauth_access_token'] };
  expect(await warningsFor(account({ fieldNames: ['org'], oauth }))).toEqual([]);
  expect(await warningsFor(account({ oauth }))).toEqual([expect.stringContaining('reads github.$auth.org, and')]);
});

test('an app that is not optional, and whose fields the code reads, needs an account', async () => {
  for (const props of [{}, { github: null }, { other: { authProvisionId: 'apn_1' } }])
    expect(await warningsFor(undefined, { props })).toEqual([
      'github needs an account: tributary accounts connect github. Without it runs end as account_missing.',
    ]);
});

test('nothing is said of an account that is gone, or of another user or app', async () => {
  for (const found of [undefined, account({ ownerId: 'u_2' }), account({ app: 'slack' })])
    expect(await warningsFor(found)).toEqual([]);
});

describe('a component that reads the refresh token, which no account of kind oauth shows', () => {
  const oauth = { providedFields: ['oauth_access_token'] };
  const reads = ['oauth_access_token', 'oauth_refresh_token'];
  const warn = (app: string, more: object, names = reads) => warningsFor(account({ app, ...more }), { app, names });

  test('has no warning where the table of providers says that its apps work without it', async () => {
    expect(await warn('google_calendar', { oauth })).toEqual([]);
    expect(await warn('google_calendar', { oauth }, [...reads, 'calendar'])).toEqual([
      'The component reads google_calendar.$auth.calendar, and the account apn_1 of google_calendar has no field of that name.',
    ]);
  });

  // Asana's components sign with it, and Asana is a built-in provider.
  test.each(['asana', 'formstack'])('of the app %s is told why, and what to do', async (app) => {
    expect(await warn(app, { oauth })).toEqual([
      `The component reads ${app}.$auth.oauth_refresh_token, and the account apn_1 of ${app} has no field of that name. An account of kind oauth never shows its refresh token, because the service renews the access token. If the component uses oauth_refresh_token for something else, set a field of that name by PUT /v1/accounts/apn_1.`,
    ]);
    expect(await warn(app, { oauth, fieldNames: ['oauth_refresh_token'] })).toEqual([]);
  });

  test('is told all that lacks if it signs with OAuth 1', async () => {
    const [warning] = await warn('trello', { oauth }, [...reads, 'oauth_signer_uri']);
    expect(warning).toContain('trello.$auth.oauth_refresh_token, trello.$auth.oauth_signer_uri, and');
  });

  test('has the plain warning for an account of fields', async () => {
    expect(await warn('google_calendar', { fieldNames: ['oauth_access_token'] })).toEqual([
      'The component reads google_calendar.$auth.oauth_refresh_token, and the account apn_1 of google_calendar has no field of that name.',
    ]);
  });
});
