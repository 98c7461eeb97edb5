import type { Command } from 'commander';
import * as z from 'zod';
import type { AccountSettings } from '../../../shared/domain/account/account.ts';
import { ACCOUNT_TEXTS } from '../../../shared/domain/setting-texts.ts';
import type { WireFields } from '../../../shared/http/settings/wire-fields.ts';
import { askForFields, FIELD, fieldValues } from '../input/account-field-values.ts';
import { addConnectCommands } from './account-connect.ts';
import { Account } from '../session/response-schemas.ts';
import type { Api } from '../session/api.ts';
import type { CommandTree, OptionLine } from '../command-tree.ts';
import { confirmDelete } from '../input/confirm.ts';
import { usageFailure } from '../failures.ts';
import { ACCOUNT, idNamed } from '../input/resolve-name.ts';
import { shellWord } from '../output/shell-word.ts';
import { Confirmed, LIMIT, Limited, settingOption, YES } from './shared-options.ts';
import type { Column } from '../output/text-table.ts';

const App = z.looseObject({ app: z.string(), auth: z.string(), fields: z.array(z.string()) });

/** The app is an argument. */
const OPTIONS = {
  name: settingOption('--name <name>', ACCOUNT_TEXTS.name),
  fields: FIELD,
} satisfies Omit<WireFields<AccountSettings, OptionLine>, 'app'>;

const { app, name, ...others } = {
  app: { heading: 'APP', of: ({ app }) => app },
  name: { heading: 'NAME', of: ({ name }) => name },
  fields: { heading: 'FIELDS', of: ({ field_names: names }) => names.join(', ') },
} satisfies WireFields<AccountSettings, Column<Account>>;

const COLUMNS: readonly Column<Account>[] = [
  { heading: 'ID', of: ({ id }) => id },
  ...[app, name],
  { heading: 'STATUS', of: ({ status = '' }) => status },
  { heading: 'SOURCES', of: ({ used_by: count }) => (count === undefined ? '' : String(count)) },
  { heading: 'CREATED', drop: 1, at: ({ created_at: at }) => at * 1_000 },
];
const DETAILS: readonly Column<Account>[] = [
  ...COLUMNS,
  ...Object.values(others),
  { heading: 'REASON', of: ({ status_reason: reason }) => reason },
];

const Named = z.object({ account: z.string() });
const accountNamed = (api: Api, text: string) => idNamed(api, [ACCOUNT], text);
const pathOf = (id: string) => `/accounts/${encodeURIComponent(id)}`;

/** `accounts list | get | add | update | delete | connect | reconnect`. */
export function addAccountCommands(tree: CommandTree): void {
  const accounts = tree.group('accounts', 'Connected accounts of apps.');
  addReadCommands(tree, accounts);
  addChangeCommands(tree, accounts);
  addConnectCommands(tree, accounts);
}

function addReadCommands({ leaf }: CommandTree, accounts: Command): void {
  leaf(accounts, {
    usage: 'list',
    about: 'List your connected accounts, without their fields.',
    options: [['--app <app>', 'only accounts of this app'], LIMIT],
    input: Limited.extend({ app: z.string().optional() }),
    examples: [
      ['tributary accounts list', 'all of them'],
      ['tributary accounts list --app github', 'those of one app'],
    ],
    run: async ({ api, output }, { app, limit }) => {
      output.list(await (await api()).list('/users/me/accounts', Account, { query: { app }, limit }), COLUMNS);
    },
  });
  leaf(accounts, {
    usage: 'get <account>',
    about: 'Show an account, by id or name, with the names of its fields.',
    input: Named,
    examples: [
      ['tributary accounts get work', 'by its name'],
      ['tributary accounts get work --json', 'as the API responds'],
    ],
    run: async ({ api: connect, output }, { account }) => {
      const api = await connect();
      output.object(await api.get(pathOf(await accountNamed(api, account)), Account), DETAILS);
    },
  });
}

function addChangeCommands({ leaf }: CommandTree, accounts: Command): void {
  leaf(accounts, {
    usage: 'add <app>',
    about: 'Connect an account by its fields, such as an API key. Asks for the fields that components read.',
    options: Object.values(OPTIONS),
    input: z.object({
      app: z.string(),
      name: z.string().optional(),
      field: z.array(z.string()).optional(),
    }),
    examples: [
      ['tributary accounts add github', 'asks for each field, without echo'],
      ['tributary accounts add github --field token=@token.txt', 'reads a field from a file'],
    ],
    run: async (session, { app, name, field }) => {
      const api = await session.api();
      const typed = await fieldValues(session, field);
      const names = field === undefined ? await fieldsToAskFor(api, app) : [];
      if (field === undefined && !session.isInteractive) throw fieldsMissing(app, names);
      const fields = { ...typed, ...(await askForFields(session, names)) };
      const body = { app, name, fields } satisfies WireFields<AccountSettings, unknown>;
      const account = await api.send('POST', '/accounts', Account, { body });
      session.output.object(account, DETAILS);
    },
  });
  leaf(accounts, {
    usage: 'update <account>',
    about: 'Rename an account, or change some of its fields.',
    options: [...Object.values(OPTIONS), ['--unset <field...>', 'remove a field']],
    input: Named.extend({
      name: z.string().optional(),
      field: z.array(z.string()).optional(),
      unset: z.array(z.string()).default([]),
    }),
    examples: [
      ['tributary accounts update work --field token=-', 'reads the new token from standard input'],
      ['tributary accounts update work --name home', 'another name'],
    ],
    run: async (session, { account, name, field, unset }) => {
      const typed = await fieldValues(session, field);
      const fields = { ...typed, ...Object.fromEntries(unset.map((each) => [each, null])) };
      const hasFields = Object.keys(fields).length > 0;
      if (name === undefined && !hasFields) throw usageFailure('Name what to change: --name, --field or --unset.');
      const api = await session.api();
      const settings = { name, fields: hasFields ? fields : undefined };
      const body = settings satisfies Omit<WireFields<AccountSettings, unknown>, 'app'>;
      const path = pathOf(await accountNamed(api, account));
      session.output.object(await api.send('PUT', path, Account, { body }), DETAILS);
    },
  });
  leaf(accounts, {
    usage: 'delete <account>',
    about: 'Delete an account, and revoke its tokens at the provider.',
    options: [YES, ['--force', 'also when sources use it']],
    input: Named.extend({ ...Confirmed.shape, force: z.boolean().default(false) }),
    examples: [
      ['tributary accounts delete work', 'asks before'],
      ['tributary accounts delete work --yes --force', 'its sources then end their runs by an error'],
    ],
    run: async (session, { account, yes, force }) => {
      const api = await session.api();
      const id = await accountNamed(api, account);
      await confirmDelete(session, `the account ${account}`, yes);
      await api.delete(pathOf(id), force ? { force: 'true' } : {});
      session.output.deleted(id);
    },
  });
}

/** The fields that components of the app read. */
async function fieldsToAskFor(api: Api, app: string): Promise<readonly string[]> {
  const apps = await api.get('/apps', z.array(App), { query: { q: app } });
  const found = apps.find((each) => each.app === app);
  if (found?.auth === 'oauth')
    throw usageFailure(`Accounts of ${app} are connected by a sign-in: tributary accounts connect ${shellWord(app)}.`);
  if (found === undefined || found.fields.length === 0)
    throw usageFailure(
      `No component of yours says which fields an account of ${app} has: name them with --field name=-, or name=@file.`,
    );
  return found.fields;
}

const fieldsMissing = (app: string, names: readonly string[]) =>
  usageFailure(
    `Fields of the account are missing: ${names.map((name) => `--field ${shellWord(`${name}=@file`)}`).join(' ')} (tributary accounts add ${shellWord(app)}).`,
  );
