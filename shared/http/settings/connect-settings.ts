import * as z from 'zod';
import { AppSlug } from '../../domain/account/account.ts';
import { AccountName } from '../../domain/account/account-name.ts';
import type { ConnectRequest } from '../../service/connecting/create-sign-in.ts';
import { AccountIdParameter, ValuesByName } from '../parameters.ts';

/** RFC 6749, scope-token: visible ASCII without space, quote and backslash. */
const Scope = z
  .string()
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,512}$/, 'must be a scope: visible ASCII without space, quote and backslash');

const Parameters = ValuesByName.transform((values, context) => {
  const wrong = Object.entries(values).find(([, value]) => typeof value !== 'string');
  if (wrong) context.addIssue({ code: 'custom', path: [wrong[0]], message: 'must be a string' });
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}).describe("Values of the placeholders in the provider's addresses, such as a subdomain: see `GET /apps`.");

export const ConnectInput = z
  .object({
    app: AppSlug.describe('The slug of the app; may be left out with `account_id`.').optional(),
    name: AccountName.describe('The name of the account, as in `POST /accounts`.').optional(),
    scopes: z
      .array(Scope)
      .min(1, 'must have 1 to 50 scopes')
      .max(50, 'must have 1 to 50 scopes')
      .describe("Scopes to ask for instead of the client's.")
      .optional(),
    parameters: Parameters.optional(),
    account_id: AccountIdParameter.describe('The account of kind `oauth` to connect again, in place.').optional(),
  })
  .superRefine(({ app, name, account_id: accountId }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (accountId === undefined && app === undefined) issue('app', 'is required');
    if (accountId !== undefined && name !== undefined)
      issue('name', 'must be left out with account_id: the account keeps its name');
  });

export const connectRequestOf = ({
  app,
  name,
  scopes,
  parameters,
  account_id: accountId,
}: z.output<typeof ConnectInput>): ConnectRequest => ({ app, name, scopes, parameters, accountId });
