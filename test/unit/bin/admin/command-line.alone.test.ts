import { describe, expect, test } from 'vitest';
import { parseCommandLine, UsageError } from '../../../../bin/admin/command.ts';
import { commandNamed, usageOf } from '../../../../bin/admin/commands.ts';

/** Checks a command line without executing it. */
function use(...argv: string[]) {
  const line = parseCommandLine(argv);
  commandNamed(line.name).check(line.options);
  return line;
}

describe('an option', () => {
  test('takes the word behind it, or what stands behind =', () => {
    const parts = { name: 'users create', options: { username: 'me', email: 'me@example.org' }, json: false };
    expect(use('users', 'create', '--username', 'me', '--email', 'me@example.org')).toMatchObject(parts);
    expect(use('users', 'create', '--username=me', '--email=me@example.org')).toMatchObject(parts);
    expect(use('--email=me@example.org', 'users', '--username', 'me', 'create')).toMatchObject(parts);
  });

  test('may have a value that begins with a dash or holds =, behind =', () => {
    expect(use('users', 'create', '--username=-me=', '--email=--a@b').options).toEqual({
      username: '-me=',
      email: '--a@b',
    });
  });

  test('may be repeated where there may be several', () => {
    const line = use('accounts', 'add', `--owner=${user}`, '--app', 'x', '--field', 'a=1=2', '--field=b=-c');
    expect(line.options).toEqual({ owner: user, app: 'x', field: ['a=1=2', 'b=-c'] });
  });

  test('--json and --stack belong to every command', () => {
    expect(use('users', 'list', '--json', '--stack', 'Tributary')).toEqual({
      name: 'users list',
      options: {},
      json: true,
      stack: 'Tributary',
    });
    expect(use('--json', 'users', 'list')).toMatchObject({ json: true, stack: undefined });
  });
});

const user = 'u_0mw000000aaaaaaaaaaaaaaa';
test.each([
  ['', 'A command is needed'],
  ['users', 'There is no command "users"'],
  ['users make', 'There is no command "users make"'],
  ['constructor', 'There is no command "constructor"'],
  ['users list extra', 'There is no command "users list extra"'],
  ['users create --email a@b.org', '--username is needed'],
  ['users create --username me', '--email is needed'],
  ['users create --username= --email a@b.org', '--username is empty'],
  ['users create --username me --email nowhere', '--email must look like name@host'],
  ['users create --username me --email a@b.org --plan gold', '--plan '],
  ['users create --username me --email a@b.org --admin yes', '--admin is not an option of this command'],
  ['users create --username me --email', '--email needs a value'],
  ['users create --username --email a@b.org', '--username needs a value'],
  ['users create --username me --username you --email a@b.org', '--username must not be repeated'],
  [`accounts add --owner ${user} --app slack`, '--field is needed'],
  [`accounts add --owner ${user} --app slack --field secret`, '--field must be written name=value'],
  [`accounts add --owner ${user} --app slack --field a=1 --field a=2`, '--field names a twice'],
  [`accounts add --owner ${user} --field a=1`, '--app is needed'],
  [`accounts add --owner ${user} --app a/b --field a=1`, '--app must be the slug of an app'],
  ['accounts add --app slack --field a=1', '--owner is needed'],
  ['accounts list', '--owner is needed'],
  ['accounts delete --account dc_1', '--account must be an id that starts with apn_'],
  ['users list --user x', '--user is not an option of this command'],
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
])('%s is wrong use: %s', (line, sentence) => {
  const attempt = () => use(...line.split(' ').filter((word) => word !== ''));
  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(sentence);
});

test('the usage has a line for every command', () => {
  for (const name of [
    'users create --username NAME --email ADDRESS [--plan free|paid]',
    'users list',
    'users rotate-key --user u_…',
    'users set-plan --user u_… --plan free|paid [--invocations N --compute-ms N]',
    'users delete --user u_…',
    'components publish --id sc_… | --file PATH | --url URL',
    'workflows register --owner u_… --name NAME --target URL',
    'workflows list',
    'workflows delete --workflow p_…',
  ])
    expect(usageOf('tributary admin')).toContain(`\n  ${name}\n`);
});
