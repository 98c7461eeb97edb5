import * as z from 'zod';
import {
  type Account,
  type AccountFields,
  type AccountSettings,
  AppSlug,
  nameOfAccount,
} from '../../../shared/domain/account/account.ts';
import { LARGEST_FIELDS_BYTES } from '../../../shared/domain/account/requested-fields.ts';
import { AccountName } from '../../../shared/domain/account/account-name.ts';
import { AccountId, UserId } from '../../../shared/domain/id.ts';
import { addAccount as storeFields } from '../../../shared/service/accounts/add-account.ts';
import { refusedFailure } from '../../tributary/failures.ts';
import { revokeTokens } from '../../../shared/service/accounts/revoke-tokens.ts';
import { operatorCommand } from '../operator-command.ts';
import { unrevokedNote } from './unrevoked-note.ts';

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
  kind: account.oauth ? 'oauth' : 'fields',
  status: account.oauth?.status ?? 'connected',
  status_reason: account.oauth?.statusReason ?? null,
  fields: account.fieldNames,
  created_at: Math.floor(account.createdAt / 1000),
});

/** By the names of the options: `--field` is repeated. */
const settings = { app: slug, name: AccountName.optional(), field: fields } satisfies Record<
  Exclude<keyof AccountSettings, 'fields'> | 'field',
  z.ZodType
>;

export const addAccount = operatorCommand({
  usage: 'add',
  about: 'Connect an account; the values of its fields are never shown again.',
  options: [
    ['--owner <id>', 'id of the user who owns it, u_…'],
    ['--app <slug>', 'slug of the app, like my_app'],
    ['--field <name=value...>', 'a field'],
    ['--name <name>', 'name, the slug otherwise'],
  ],
  input: z.strictObject({ owner, ...settings }),
  examples: [
    ['tributary admin accounts add --owner u_… --app slack --field token=xoxb-…', 'with one field'],
    ['tributary admin accounts add --owner u_… --app my_app --field key=… --field url=https://…', 'with two fields'],
  ],
  run: async ({ accounts, users, vault, now, random }, { owner: ownerId, field, ...own }) => {
    if (!(await users.find(ownerId))) throw refusedFailure(`There is no user ${ownerId}.`);
    const services = { accounts, vault, random, now };
    const account = await storeFields(services, ownerId, { fields: field, name: undefined, ...own });
    const { id, app } = account;
    return {
      json: shown(account),
      text: `Connected an account of ${app}: ${id}\nSources name it as {"authProvisionId": "${id}"}.`,
    };
  },
});

export const listAccounts = operatorCommand({
  usage: 'list',
  role: 'read',
  about: "List id, app, status and field names of a user's accounts.",
  options: [
    ['--owner <id>', 'id of the user who owns it, u_…'],
    ['--app <slug>', 'of this app only'],
  ],
  input: z.strictObject({ owner, app: slug.optional() }),
  examples: [
    ['tributary admin accounts list --owner u_…', 'without the values of the fields'],
    ['tributary admin accounts list --owner u_… --app slack', 'of one app'],
  ],
  run: async ({ accounts }, { owner: ownerId, app }) => {
    const found = (await accounts.list(ownerId)).filter((account) => app === undefined || account.app === app);
    const all = found.map(shown);
    const lines = all.map(({ id, app: slugOf, status, fields: names }) =>
      [id, slugOf, status, names.join(', ')].join('  '),
    );
    return { json: all, text: lines.join('\n') || 'There are no connected accounts.' };
  },
});

export const deleteAccount = operatorCommand({
  usage: 'delete',
  about: 'Delete an account and revoke its tokens; runs of sources that name it then end as account_expired.',
  options: [
    ['--account <id>', 'id of the account, apn_…'],
    ['--owner <id>', 'only if this user owns it, u_…'],
  ],
  input: z.strictObject({ account: z.string('is needed').pipe(AccountId), owner: owner.optional() }),
  examples: [
    ['tributary admin accounts delete --account apn_…', 'ends its use at once'],
    ['tributary admin accounts delete --account apn_… --owner u_…', 'only if it is of this user'],
  ],
  run: async ({ accounts, oauthFunction }, { account: id, owner: ownerId }) => {
    const found = await accounts.find(id);
    if (!found || (ownerId !== undefined && found.ownerId !== ownerId))
      throw refusedFailure(`There is no connected account ${id}.`);
    const isRevoked = await revokeTokens({ oauthFunction }, found);
    await accounts.remove(found);
    return {
      json: { id, unrevoked: isRevoked ? 0 : 1 },
      text: `Deleted the connected account ${id}; its sources need another one.${unrevokedNote(isRevoked ? 0 : 1)}`,
    };
  },
});
