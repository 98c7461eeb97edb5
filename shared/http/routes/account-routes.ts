import * as z from 'zod';
import { AccountIdParameter, AccountPageInput, AppSearchInput, Flag } from '../parameters.ts';
import { accountFieldValues } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { accountFields, accountUpdateFields } from '../settings/account-settings.ts';

/** A request with only these fields, and the choice of fields of the response. */
const only = <Fields extends z.ZodRawShape>(fields: Fields) =>
  z.strictObject(
    { ...fields, include: z.unknown().optional(), exclude: z.unknown().optional() },
    {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `there is no field ${issue.keys.join(', ')}. The fields are ${Object.keys(fields).join(', ')}`
          : undefined,
    },
  );

const AccountUpdate = only(accountUpdateFields).refine(
  ({ name, fields }) => name !== undefined || fields !== undefined,
  { path: [], message: 'one of name, fields is required' },
);

const group = { group: 'accounts', isExtension: true } as const;
const ofAccount = {
  ...group,
  path: '/v1/accounts/{id}',
  parameters: z.object({ id: AccountIdParameter }),
  envelope: 'single',
  data: 'Account',
} as const;

export const accounts = {
  listAccounts: route({
    ...group,
    method: 'GET',
    path: '/v1/users/me/accounts',
    summary: 'Your connected accounts, newest first. Values of their fields are never shown.',
    parameters: z.object({}),
    input: AccountPageInput,
    envelope: 'page',
    data: 'Account',
  }),
  createAccount: route({
    ...group,
    method: 'POST',
    path: '/v1/accounts',
    summary: 'Connects an account of an app by its fields, such as an API key.',
    parameters: z.object({}),
    input: only(accountFields),
    example: { app: 'github', name: 'Work', fields: accountFieldValues },
    envelope: 'single',
    data: 'Account',
    errors: [409],
  }),
  getAccount: route({ ...ofAccount, method: 'GET', summary: 'One connected account.', input: z.object({}) }),
  updateAccount: route({
    ...ofAccount,
    method: 'PUT',
    summary: 'Changes the name or some fields of an account, for runs that start after the response.',
    input: AccountUpdate,
    example: { fields: accountFieldValues },
    errors: [409],
  }),
  deleteAccount: route({
    ...ofAccount,
    method: 'DELETE',
    summary: 'Removes an account. One that sources use is only removed with `force=true`.',
    input: z.object({
      force: Flag.default(false).describe('Whether sources that use the account are left without one.'),
    }),
    from: 'query',
    envelope: 'none',
    errors: [409],
  }),
  listApps: route({
    ...group,
    method: 'GET',
    path: '/v1/apps',
    summary: 'The apps of your components and of published ones, by name, and how their accounts are connected.',
    parameters: z.object({}),
    input: AppSearchInput,
    envelope: 'list',
    data: 'App',
  }),
};
