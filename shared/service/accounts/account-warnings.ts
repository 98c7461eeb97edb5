import { type Account, AccountReference } from '../../domain/account/account.ts';
import { withAuthFields } from '../../domain/component/auth-fields.ts';
import type { Component } from '../../domain/component/component.ts';
import { type PropDefinition, withAdditional } from '../../domain/component/prop-definition.ts';
import type { UserId } from '../../domain/id.ts';
import { providerOfApp } from '../../domain/oauth/providers.ts';
import type { AccountStore } from '../../store/accounts.ts';
import { belongsTo } from './account-reader.ts';

interface AccountWarningsInput {
  userId: UserId;
  component: Pick<Component, 'description' | 'authReads'>;
  additionalProps: readonly PropDefinition[] | undefined;
  props: Readonly<Record<string, unknown>>;
}

/** One sentence for each app prop whose account lacks fields that the component reads. */
export async function accountWarnings(
  accounts: Pick<AccountStore, 'find'>,
  { userId, component: { description, authReads }, additionalProps, props }: AccountWarningsInput,
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
