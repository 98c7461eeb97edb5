import * as z from 'zod';
import { createVault } from '../../shared/aws/vault.ts';
import {
  type Account,
  type AccountFields,
  type AccountSettings,
  LARGEST_FIELDS_BYTES,
} from '../../shared/domain/account/account.ts';
import { AccountId, newId, UserId } from '../../shared/domain/id.ts';
import { Name } from '../../shared/domain/text.ts';
import { CommandError, command } from './command.ts';
import type { Operator } from './operator.ts';

const owner = z.string('is needed').pipe(UserId);
const slug = z.string('is needed').regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the slug of an app, like my_app');

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
const shown = ({ id, ownerId, app, name, fieldNames, createdAt }: Account) => ({
  id,
  owner: ownerId,
  app,
  name: name ?? app,
  fields: fieldNames,
  created_at: Math.floor(createdAt / 1000),
});

/** By the names of the options: `--field` is repeated. */
const settings = { app: slug, name: Name.optional(), field: fields } satisfies Record<
  Exclude<keyof AccountSettings, 'fields'> | 'field',
  z.ZodType
>;

export const addAccount = command(
  'accounts add --owner u_… --app SLUG --field name=value [--field name=value …] [--name NAME]',
  z.strictObject({ owner, ...settings }),
  async ({ accounts, users, kms, names, now, random }, { owner: ownerId, field, ...own }) => {
    const { app, name = app } = own;
    if (!(await users.find(ownerId))) throw new CommandError(`There is no user ${ownerId}.`);
    const createdAt = now();
    const id = AccountId.parse(newId('account', createdAt, random));
    const sealed = await createVault(() => kms, names.accountKeyArn).seal({ id, ownerId }, field);
    const account: Account = {
      ...own,
      id,
      ownerId,
      name,
      fieldNames: Object.keys(field),
      sealed,
      createdAt,
      version: 0,
    };
    await accounts.create(account);
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
