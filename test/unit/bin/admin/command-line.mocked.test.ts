import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { Operator } from '../../../../bin/admin/operator.ts';
import { createUnreadableItems } from '../../../../bin/admin/unreadable-items.ts';
import { createUser } from '../../../../bin/admin/commands/user-commands.ts';
import { addAccount } from '../../../../bin/admin/commands/account-commands.ts';
import { runCommand } from '../../../support/command.ts';

const report = { json: {}, text: 'Done.' };
let create: MockInstance<(typeof createUser)['run']>;
let add: MockInstance<(typeof addAccount)['run']>;
beforeEach(() => {
  create = vi.spyOn(createUser, 'run').mockResolvedValue(report);
  add = vi.spyOn(addAccount, 'run').mockResolvedValue(report);
});

const stacks: (string | undefined)[] = [];
/** Runs a command line whose command gets an operator without services. */
const admin = (...argv: string[]) =>
  runCommand(argv, {
    operate(stack, use) {
      stacks.push(stack);
      return use({ unreadable: createUnreadableItems() } as Operator);
    },
  });

const done = { code: 0, out: 'Done.\n', error: '' };

describe('an option', () => {
  test.each([
    [['users', 'create', '--username', 'me', '--email', 'me@example.org']],
    [['users', 'create', '--username=me', '--email=me@example.org']],
  ])('takes the word behind it, or what stands behind =: %j', async (argv) => {
    expect(await admin('admin', ...argv)).toEqual(done);
    expect(create.mock.lastCall?.[1]).toEqual({ username: 'me', email: 'me@example.org', plan: 'free' });
  });

  test('may have a value that begins with a dash or holds =, behind =', async () => {
    expect(await admin('admin', 'users', 'create', '--username=-me=', '--email=--a@b')).toEqual(done);
    expect(create.mock.lastCall?.[1]).toMatchObject({ username: '-me=', email: '--a@b' });
  });

  test('may be repeated where there may be several', async () => {
    const fields = ['--field', 'a=1=2', '--field=b=-c'];
    await admin('admin', 'accounts', 'add', `--owner=${user}`, '--app', 'x', ...fields);
    expect(add.mock.lastCall?.[1]).toEqual({ owner: user, app: 'x', field: { a: '1=2', b: '-c' } });
  });

  const line = ['users', 'create', '--username', 'me', '--email', 'me@example.org'];
  test.each([
    ['admin', ...line, '--json', '--stack', 'Ours'],
    ['--json', 'admin', '--stack', 'Ours', ...line],
    ['admin', '--stack=Ours', '--json', ...line],
  ])('--json and --stack belong to every command: %s %s %s', async (...argv) => {
    expect(await admin(...argv)).toEqual({ code: 0, out: '{}\n', error: '' });
    expect(stacks.at(-1)).toBe('Ours');
  });
});

const user = 'u_0mw000000aaaaaaaaaaaaaaa';
test.each([
  [
    '',
    'A command is missing after tributary admin: users, components, workflows, accounts, oauth-clients, sign-in, secrets, dead-letters, pause, resume, usage, backup, targets, reconcile, restore, destroy-data, doctor.',
  ],
  [
    'users',
    'A command is missing after tributary admin users: create, list, rotate-key, set-plan, suspend, resume, export, import, delete.',
  ],
  [
    'users make',
    "Unknown command 'make'. tributary admin users has create, list, rotate-key, set-plan, suspend, resume, export, import, delete.",
  ],
  ['user list', "Unknown command 'user'. Did you mean users?"],
  ['users lst', "Unknown command 'lst'. Did you mean list?"],
  ['users list --jsn', "Unknown option '--jsn'. Did you mean --json?"],
  ['constructor', "Unknown command 'constructor'."],
  [
    'users delete bob',
    "Too many arguments for 'delete'. Expected 0 arguments but got 1. Its --help shows what it takes.",
  ],
  ['users create --email a@b.org', '--username is needed'],
  ['users create --username me', '--email is needed'],
  ['users create --username= --email a@b.org', '--username is empty'],
  ['users create --username me --email nowhere', '--email must look like name@host'],
  ['users create --username me --email a@b.org --plan gold', '--plan '],
  ['users create --username me --email a@b.org --admin yes', "Unknown option '--admin'."],
  ['users create --username me --email', "Option '--email <address>' argument missing."],
  ['users create --username --email a@b.org', 'Too many arguments'],
  ['users create --username me --username you --email a@b.org', '--username must not be repeated'],
  [`accounts add --owner ${user} --app slack`, '--field is needed'],
  [`accounts add --owner ${user} --app slack --field secret`, '--field must be written name=value'],
  [`accounts add --owner ${user} --app slack --field a=1 --field a=2`, '--field names a twice'],
  [`accounts add --owner ${user} --field a=1`, '--app is needed'],
  [`accounts add --owner ${user} --app a/b --field a=1`, '--app must be the slug of an app'],
  ['accounts add --app slack --field a=1', '--owner is needed'],
  ['accounts list', '--owner is needed'],
  ['accounts delete --account dc_1', '--account must be an id that starts with apn_'],
  ['users list --user x', "Unknown option '--user'."],
  ['users list --key secret', '--key is not an option of this command.'],
  ['users list -q', '--quiet is not an option of this command.'],
  ['users list --stack A --stack B', '--stack must not be repeated.'],
  ['accounts add --fild=token=secret', "Unknown option '--fild=…'."],
  ['users rotate-key', '--user is needed'],
  ['users rotate-key --user dc_1', '--user must be an id that starts with u_'],
  ['users delete', '--user is needed'],
  [`users set-plan --user ${user}`, '--plan is needed'],
  [`users set-plan --user ${user} --plan free --invocations many`, '--invocations must be a whole number'],
  [`users set-plan --user ${user} --plan free --invocations=-1`, '--invocations must be a whole number'],
  [`users set-plan --user ${user} --plan free --compute-ms=`, '--compute-ms must be a whole number'],
  [`users set-plan --user ${user} --plan free --compute-ms 1e3`, '--compute-ms must be a whole number'],
  ['components publish', 'Give one of --id, --file and --url'],
  ['components publish --file a.mjs --url http://a.org/b.mjs', 'Give one of --id, --file and --url'],
  ['components publish --url ftp://a.org/b.mjs', '--url must begin with http:// or https://'],
  ['components publish --id dc_1', '--id must be an id that starts with sc_'],
  ['workflows register --owner u_1 --name w', '--target is needed'],
  ['workflows register --owner u_1 --name w --target ftp://a.org', '--target must begin with http'],
  ['workflows register --name w --target https://a.org', '--owner is needed'],
  ['workflows delete', '--workflow is needed'],
])('%s is wrong use: %s', async (line, sentence) => {
  const { code, out, error } = await admin('admin', ...line.split(' ').filter((word) => word !== ''));
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(error).toMatch(/^[^\n]+[.?]\n$/);
  expect(error).toContain(sentence);
  // The group of commands may be named, and no value.
  expect(error).not.toMatch(/secret(?!s\b)/);
});
