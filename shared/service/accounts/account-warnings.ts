import { type Account, AccountReference } from '../../domain/account/account.ts';
import { withAuthFields } from '../../domain/component/auth-fields.ts';
import type { Component } from '../../domain/component/component.ts';
import { type PropDefinition, withAdditional } from '../../domain/component/prop-definition.ts';
import type { UserId } from '../../domain/id.ts';
import type { AccountStore } from '../../store/accounts.ts';
import { isUsable } from './account-reader.ts';

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
      if (!account || !isUsable(account, userId, typeof app === 'string' ? app : '')) return [];
      const lacking = fields.filter((field) => !knownFields(account).includes(field));
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

const lackingText = (prop: string, { id, app }: Account, fields: readonly string[]): string =>
  `The component reads ${fields.map((field) => `${prop}.$auth.${field}`).join(', ')}, and the account ${id} of ${app} has no field of ${
    fields.length === 1 ? 'that name' : 'these names'
  }.`;
