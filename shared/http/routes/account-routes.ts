import * as z from 'zod';
import { AccountIdParameter, AccountPageInput, AppSearchInput, Flag } from '../parameters.ts';
import { onlyFields } from '../settings/only-fields.ts';
import { accountFieldValues } from '../openapi/examples.ts';
import { route } from '../route.ts';
import { accountFields, accountUpdateFields } from '../settings/account-settings.ts';

const AccountUpdate = onlyFields(accountUpdateFields).refine(
  ({ name, fields }) => name !== undefined || fields !== undefined,
  { path: [], message: 'one of name, fields is required' },
);

const group = { group: 'accounts', isExtension: true } as const;
const ofAccount = {
  ...group,
  parameters: z.object({ id: AccountIdParameter }),
  data: 'Account',
} as const;

export const accounts = {
  listAccounts: route('GET', '/v1/users/me/accounts', {
    ...group,
    summary: 'Your connected accounts, newest first. Values of their fields are never shown.',
    input: AccountPageInput,
    envelope: 'page',
    data: 'Account',
  }),
  createAccount: route('POST', '/v1/accounts', {
    ...group,
    summary: 'Connects an account of an app by its fields, such as an API key.',
    input: onlyFields(accountFields),
    example: { app: 'github', name: 'Work', fields: accountFieldValues },
    data: 'Account',
    errors: [409],
  }),
  getAccount: route('GET', '/v1/accounts/{id}', { ...ofAccount, summary: 'One connected account.' }),
  updateAccount: route('PUT', '/v1/accounts/{id}', {
    ...ofAccount,
    summary: 'Changes the name or some fields of an account, for runs that start after the response.',
    input: AccountUpdate,
    example: { fields: accountFieldValues },
    errors: [409],
  }),
  deleteAccount: route('DELETE', '/v1/accounts/{id}', {
    ...ofAccount,
    summary: 'Removes an account. One that sources use is only removed with `force=true`.',
    input: z.object({
      force: Flag.default(false).describe('Whether sources that use the account are left without one.'),
    }),
    from: 'query',
    envelope: 'none',
    errors: [409],
  }),
  listApps: route('GET', '/v1/apps', {
    ...group,
    summary: 'The apps of your components and of published ones, by name, and how their accounts are connected.',
    input: AppSearchInput,
    envelope: 'list',
    data: 'App',
  }),
};
