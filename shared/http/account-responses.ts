import * as z from 'zod';
import type { AccountSettings } from '../domain/account/account.ts';
import { ACCOUNT_TEXTS } from '../domain/setting-texts.ts';
import { AccountId } from '../domain/id.ts';
import { createdAt, timeOrNull } from './responses.ts';
import type { WithWireFields } from './settings/wire-fields.ts';

export const AccountResponse = z.strictObject({
  id: AccountId.describe('The id of the account, for `{"authProvisionId": …}` in `configured_props`.'),
  app: z.string().describe(ACCOUNT_TEXTS.app),
  name: z.string().describe(ACCOUNT_TEXTS.name),
  kind: z
    .enum(['fields', 'oauth'])
    .describe('`fields`: its fields were typed. `oauth`: it was connected by a sign-in at the provider.'),
  field_names: z
    .array(z.string())
    .describe('The names of the fields that components get as `$auth`. Values are never shown.'),
  status: z
    .enum(['connected', 'expiring', 'needs_reconnect'])
    .describe('`expiring`: the last renewal failed for a passing reason. `needs_reconnect`: only a new sign-in helps.'),
  status_reason: z.string().nullable().describe('Why the status is not `connected`, in one sentence; otherwise null.'),
  scopes: z
    .array(z.string())
    .nullable()
    .describe('The scopes that the provider granted; null for an account of kind `fields`.'),
  expires_at_ms: timeOrNull('when the access token expires', 'if it does not, and for kind `fields`'),
  connected_at_ms: timeOrNull('of the sign-in', 'for kind `fields`'),
  renewed_at_ms: timeOrNull('of the last token', 'for kind `fields`'),
  created_at: createdAt,
  used_by: z.number().int().describe('The number of your sources whose app props name the account.'),
} satisfies WithWireFields<Omit<AccountSettings, 'fields'>, z.ZodType>);

export const AppResponse = z.strictObject({
  app: z.string().describe('The slug of the app.'),
  auth: z
    .enum(['fields', 'oauth'])
    .describe('How an account is connected: `oauth` if the operator registered a client of the app.'),
  fields: z
    .array(z.string())
    .describe('The names that components read as `$auth.<name>`, sorted; empty if none were found.'),
  provider: z.string().nullable().describe('The provider of the sign-in; null for `fields`.'),
  parameters: z.array(z.string()).describe('The names of the values that a sign-in needs, such as a subdomain.'),
  accounts: z.number().int().describe('The number of your accounts of the app.'),
});
