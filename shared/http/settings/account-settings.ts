import type * as z from 'zod';
import { type AccountSettings, AppSlug } from '../../domain/account/account.ts';
import { ChangedAccountFields, NewAccountFields } from '../../domain/account/requested-fields.ts';
import { AccountName } from '../../domain/account/account-name.ts';
import { ACCOUNT_TEXTS } from '../../domain/setting-texts.ts';
import type { Requested } from '../../domain/requested.ts';
import type { AccountUpdate } from '../../service/accounts/update-account.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

export const accountFields = {
  app: AppSlug.describe(ACCOUNT_TEXTS.app),
  name: AccountName.describe(ACCOUNT_TEXTS.name).optional(),
  fields: NewAccountFields.describe(ACCOUNT_TEXTS.fields),
} satisfies WireFields<AccountSettings, z.ZodType>;

/** The settings of an existing account in a request. Its app stays. */
export const accountUpdateFields = {
  name: AccountName.describe(ACCOUNT_TEXTS.name).optional(),
  fields: ChangedAccountFields.describe(
    'New values by name; the other fields stay, and null removes a field.',
  ).optional(),
} satisfies WireFields<Omit<AccountSettings, 'app'>, z.ZodType>;

export const accountSettingsOf = ({
  app,
  name,
  fields,
}: ParsedFields<typeof accountFields>): Requested<AccountSettings> => ({ app, name, fields });

export const accountUpdateOf = ({ name, fields }: ParsedFields<typeof accountUpdateFields>): AccountUpdate => ({
  name,
  fields,
});
