import type * as z from 'zod';
import { type AccountSettings, AppSlug } from '../../domain/account/account.ts';
import { ChangedAccountFields, NewAccountFields } from '../../domain/account/requested-fields.ts';
import { AccountName } from '../../domain/account/account-name.ts';
import type { Requested } from '../../domain/requested.ts';
import type { AccountUpdate } from '../../service/accounts/update-account.ts';
import type { ParsedFields, WireFields } from './wire-fields.ts';

const accountName = AccountName.describe(
  "The name, unique among your accounts of the app. Default: the app's slug, with a number if it is taken.",
).optional();

/** The settings of a new account in a request. */
export const accountFields = {
  app: AppSlug.describe('The slug of the app, as in the app props of components.'),
  name: accountName,
  fields: NewAccountFields.describe(
    'The values that components get as `$auth`, by name: 1 to 50, at most 64 KB together.',
  ),
} satisfies WireFields<AccountSettings, z.ZodType>;

/** The settings of an existing account in a request. Its app stays. */
export const accountUpdateFields = {
  name: accountName,
  fields: ChangedAccountFields.describe(
    'New values by name; the other fields stay, and null removes a field.',
  ).optional(),
} satisfies WireFields<Omit<AccountSettings, 'app'>, z.ZodType>;

export const accountSettingsOf = ({
  app,
  name,
  fields,
}: ParsedFields<typeof accountFields>): Requested<AccountSettings> => ({ app, name, fields });

export const accountUpdateOf = ({
  name,
  fields,
}: ParsedFields<typeof accountUpdateFields>): AccountUpdate => ({ name, fields });
