import { appHookOf } from '../../domain/app-hook/app-hooks.ts';
import { sourceAppHook } from '../../domain/app-hook/source-app-hook.ts';
import { type Account, AccountReference } from '../../domain/account/account.ts';
import { withAuthFields } from '../../domain/component/auth-fields.ts';
import type { Component } from '../../domain/component/component.ts';
import { withAdditional } from '../../domain/component/prop-definition.ts';
import type { UserId } from '../../domain/id.ts';
import { providerOfApp } from '../../domain/oauth/providers.ts';
import type { Source } from '../../domain/source/source.ts';
import type { AccountStore } from '../../store/accounts/accounts.ts';
import { accountNeeded, missingAccounts } from './account-missing.ts';
import { belongsTo } from './account-reader.ts';

interface AccountWarningsInput extends Pick<Source, 'traits' | 'configuration'> {
  userId: UserId;
  component: Pick<Component, 'description' | 'authReads'>;
}

/**
 * One sentence for each account that is missing, and for each that lacks a field that the component or its app hook
 * needs.
 */
export async function accountWarnings(
  accounts: Pick<AccountStore, 'find'>,
  input: AccountWarningsInput,
): Promise<string[]> {
  const { traits, configuration } = input;
  return [
    ...missingAccounts(traits, configuration).map(
      (app) => `${accountNeeded(app)}. Without it runs end as account_missing.`,
    ),
    ...(await lackingWarnings(accounts, input)),
    ...(await uncheckedWarnings(accounts, input)),
  ];
}

async function lackingWarnings(
  accounts: Pick<AccountStore, 'find'>,
  {
    userId,
    component: { description, authReads },
    configuration: { additionalProps, configuredProps: props },
  }: AccountWarningsInput,
): Promise<string[]> {
  const all = withAuthFields(withAdditional(description.props, additionalProps), authReads);
  const warnings = await Promise.all(
    all.map(async ({ name, app, authFields: fields = [] }) => {
      const reference = AccountReference.safeParse(Object.hasOwn(props, name) ? props[name] : undefined);
      if (fields.length === 0 || !reference.success) return [];
      const account = await accounts.find(reference.data.authProvisionId);
      if (!account || !belongsTo(account, userId, typeof app === 'string' ? app : '')) return [];
      const lacking = lackingFields(account, fields);
      return lacking.length === 0 ? [] : [lackingText(name, account, lacking)];
    }),
  );
  return warnings.flat();
}

/** A source whose app signs its requests, and whose account lacks the secret, takes them unchecked. */
async function uncheckedWarnings(
  accounts: Pick<AccountStore, 'find'>,
  { userId, ...source }: AccountWarningsInput,
): Promise<string[]> {
  const { app = '', account: reference } = sourceAppHook(source) ?? {};
  const { secretField: field } = appHookOf(app);
  if (field === undefined) return [];
  const account = reference && (await accounts.find(reference.authProvisionId));
  const isOwn = account && belongsTo(account, userId, app);
  if (isOwn && knownFields(account).includes(field)) return [];
  const mend = isOwn
    ? `tributary accounts update ${account.id} --field ${field}=-`
    : `connect an account of ${app} that has this field`;
  return [
    `The endpoint takes every request: without the field ${field} of the account, signatures of ${app} are not checked. Add it: ${mend}.`,
  ];
}

/** The fields that `$auth` of an account has, those included that the provider of its app fills. */
const knownFields = ({ fieldNames, oauth }: Account): readonly string[] => [
  ...fieldNames,
  ...(oauth?.providedFields ?? []),
];

/** No provider fills it: the service keeps refresh tokens to itself. */
const REFRESH_TOKEN = 'oauth_refresh_token';

function lackingFields(account: Account, fields: readonly string[]): string[] {
  const known = knownFields(account);
  const unneeded = account.oauth === undefined ? [] : (providerOfApp(account.app)?.unneededFields ?? []);
  return fields.filter((field) => !known.includes(field) && !unneeded.includes(field));
}

function lackingText(prop: string, { id, app, oauth }: Account, fields: readonly string[]): string {
  const names = fields.length === 1 ? 'that name' : 'these names';
  const text = `The component reads ${fields.map((field) => `${prop}.$auth.${field}`).join(', ')}, and the account ${id} of ${app} has no field of ${names}.`;
  if (oauth === undefined || !fields.includes(REFRESH_TOKEN)) return text;
  return `${text} An account of kind oauth never shows its refresh token, because the service renews the access token. If the component uses ${REFRESH_TOKEN} for something else, set a field of that name by PUT /v1/accounts/${id}.`;
}
