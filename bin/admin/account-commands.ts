import * as z from 'zod';
import { createVault } from '../../shared/aws/vault.ts';
import {
  type Account,
  type AccountFields,
  type AccountSettings,
  AppSlug,
  nameOfAccount,
} from '../../shared/domain/account/account.ts';
import { LARGEST_FIELDS_BYTES } from '../../shared/domain/account/requested-fields.ts';
import { AccountName } from '../../shared/domain/account/account-name.ts';
import { AccountId, UserId } from '../../shared/domain/id.ts';
import { addAccount as storeFields } from '../../shared/service/accounts/add-account.ts';
import { CommandError, command, orCommandError } from './command.ts';
import type { Operator } from './operator.ts';

const owner = z.string('is needed').pipe(UserId);
const slug = z.string('is needed').pipe(AppSlug);

/** Repeated `--field name=value`; everything after the first `=` is the value. */
const fields = z.array(z.string(), 'is needed').transform((texts, context): AccountFields => {
  const pairs = texts.map((text) => /^([A-Za-z_$][\w$.-]{0,127})=(.*)$/s.exec(text));
  const issue = (message: string) => {
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };
  // The message must not contain the input, which may be a secret.
  if (pairs.includes(null)) return issue('must be written name=value');
  const names = pairs.map((pair) => pair?.[1] ?? '');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return issue(`names ${twice} twice`);
  const read = Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']));
  const bytes = Buffer.byteLength(JSON.stringify(read));
  return bytes > LARGEST_FIELDS_BYTES ? issue('values have more than 64 KB together') : read;
});

/** The fields of an account to print, without values. */
const shown = (account: Account) => ({
  id: account.id,
  owner: account.ownerId,
  app: account.app,
  name: nameOfAccount(account),
  fields: account.fieldNames,
  created_at: Math.floor(account.createdAt / 1000),
});

/** By the names of the options: `--field` is repeated. */
const settings = { app: slug, name: AccountName.optional(), field: fields } satisfies Record<
  Exclude<keyof AccountSettings, 'fields'> | 'field',
  z.ZodType
>;

export const addAccount = command(
  'accounts add --owner u_… --app SLUG --field name=value [--field name=value …] [--name NAME]',
  z.strictObject({ owner, ...settings }),
  async ({ accounts, users, kms, names, now, random }, { owner: ownerId, field, ...own }) => {
    if (!(await users.find(ownerId))) throw new CommandError(`There is no user ${ownerId}.`);
    const vault = createVault(() => kms, names.accountKeyArn);
    const account = await orCommandError(
      storeFields({ accounts, vault, random, now }, ownerId, { fields: field, name: undefined, ...own }),
    );
    const { id, app } = account;
    return {
      json: shown(account),
      text: `Connected an account of ${app}: ${id}\nSources name it as {"authProvisionId": "${id}"}.`,
    };
  },
);

export const listAccounts = command(
  'accounts list --owner u_… [--app SLUG]',
  z.strictObject({ owner, app: slug.optional() }),
  async ({ accounts }, { owner: ownerId, app }) => {
    const found = (await accounts.list(ownerId)).filter(
      (account) => app === undefined || account.app === app,
    );
    const lines = found.map((account) => `${account.id}  ${account.app}  ${account.fieldNames.join(', ')}`);
    return { json: found.map(shown), text: lines.join('\n') || 'There are no connected accounts.' };
  },
);

export const deleteAccount = command(
  'accounts delete --account apn_… [--owner u_…]',
  z.strictObject({ account: z.string('is needed').pipe(AccountId), owner: owner.optional() }),
  async ({ accounts }, { account: id, owner: ownerId }) => {
    const found = await accounts.find(id);
    if (!found || (ownerId !== undefined && found.ownerId !== ownerId))
      throw new CommandError(`There is no connected account ${id}.`);
    await accounts.remove(found);
    return { json: { id }, text: `Deleted the connected account ${id}; its sources run without it.` };
  },
);

/** Removes all accounts of a user. Returns how many. */
export async function removeAccountsOf({ accounts }: Operator, ownerId: UserId): Promise<number> {
  const found = await accounts.list(ownerId);
  for (const account of found) await accounts.remove(account);
  return found.length;
}
