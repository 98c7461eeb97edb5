import type { Command } from 'commander';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { lazyAdminGroup } from '../../../../bin/lazy-admin-group.ts';
import { createProgram } from '../../../../bin/tributary/program.ts';
import { runCommand } from '../../../support/command.ts';
import { tableIn } from '../../../support/doc-table.ts';

const notInTests = () => Promise.reject(new Error('No service inside of a test'));
const tree = createProgram(
  {
    env: {},
    cwd: '/',
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    interrupted: () => new AbortController().signal,
  },
  { run: notInTests, addAdmin: lazyAdminGroup(notInTests) },
);
await tree.loadAll();
const { program } = tree;
const pathsOf = (command: Command, path: string[] = []): string[][] =>
  command.commands.flatMap((child) => {
    const own = [...path, child.name()];
    return [
      ...(child.registeredArguments.length > 0 || child.commands.length === 0 ? [own] : []),
      ...pathsOf(child, own),
    ];
  });
const commands = pathsOf(program).map((path) => path.join(' '));

test('the commands are those of the specification', () => {
  expect(commands).toEqual(
    expect.arrayContaining([
      'login',
      'logout',
      'profiles',
      'whoami',
      'components create',
      'components list',
      'components get',
      'components code',
      'new poller',
      'new webhook',
      'new cron',
      'sources create',
      'sources list',
      'sources get',
      'sources update',
      'sources enable',
      'sources disable',
      'sources reset-dedupe',
      'sources delete',
      'sources drop-waiting',
      'sources run',
      'sources code',
      'events',
      'events get',
      'events delete',
      'logs',
      'errors',
      'dev',
      'listen',
      'webhooks create',
      'webhooks list',
      'webhooks get',
      'webhooks update',
      'webhooks enable',
      'webhooks disable',
      'webhooks delete',
      'webhooks test',
      'webhooks rotate',
      'webhooks recover',
      'webhooks verify',
      'deliveries',
      'deliveries get',
      'redeliver',
      'subscriptions list',
      'subscriptions create',
      'subscriptions delete',
      'auto-subscriptions list',
      'auto-subscriptions create',
      'auto-subscriptions delete',
      'workflows list',
      'accounts list',
      'accounts add',
      'accounts update',
      'accounts delete',
      'accounts connect',
      'accounts reconnect',
      'activity',
      'status',
      'open',
      'export',
      'import',
      'completion',
    ]),
  );
});

const groups = program.commands.map((command) => command.name());

test.each([...new Set([...commands, ...groups])])('the help of %s shows two examples', async (command) => {
  const { code, out } = await runCommand([...command.split(' '), '--help'], { columns: 200 });
  expect(code).toBe(0);
  expect(out.match(/^ {2}\$ .*\btributary\b.*$/gm)).toHaveLength(2);
  expect(out).toContain('--json');
});

const own = commands.filter((command) => !command.startsWith('admin '));

test.each(own)('docs/command-line.md names %s', (command) => {
  expect(readFileSync('docs/command-line.md', 'utf8')).toMatch(new RegExp(`\`(?:tributary )?${command}\\b`));
});

test('docs/operations.md lists every command of the operator, with its options', () => {
  const admin = program.commands.find((command) => command.name() === 'admin') ?? expect.fail();
  const optionsOf = (path: string) => {
    let command: Command | undefined = admin;
    for (const word of path.split(' ')) command = command?.commands.find((child) => child.name() === word);
    return command?.options.map(({ long }) => long).sort();
  };
  const rows = tableIn('docs/operations.md', "The operator's commands").map(([cell = '']) => {
    const usage = cell.replaceAll('`', '');
    const path = usage.replace(/ (?:\[|--|[A-Z]+\b).*/, '');
    // --stack is an option of every command.
    const named = usage.replace('--stack NAME', '').match(/--[a-z-]+/g) ?? [];
    // A row that ends in … has the main options.
    const others = usage.endsWith(' …') ? (optionsOf(path) ?? []) : [];
    return [path, [...new Set([...named, ...others])].sort()];
  });
  const paths = pathsOf(admin).map((path) => path.join(' '));
  expect(rows.sort()).toEqual(paths.sort().map((path) => [path, optionsOf(path)]));
});

const pages = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`), 'docs/examples/README.md'].filter(
  (name) => name.endsWith('.md'),
);

/** Command lines in code: after `tributary`, or after the name of a group in a code span. */
const commandsIn = (page: string): string[] =>
  [
    ...readFileSync(page, 'utf8').matchAll(
      /(?:(?:`|\$ |^|\()(?:npx )?tributary |`(?=(?:sources|webhooks|(?:auto-)?subscriptions) [a-z]))([a-z][^`\n]*)/gm,
    ),
  ].map(([, line = '']) => line);

/** Whether a line begins with a command, or is the name of a group, also with a word for its commands. */
const isCommand = (line: string): boolean =>
  groups.includes(line.replace(/ (?:COMMAND|…)$/, '')) ||
  commands.some((command) => new RegExp(`^${command}(?![\\w-])`).test(line));

test.each(pages)('%s names only commands that exist', (page) => {
  const named = commandsIn(page).filter((line) => !isCommand(line));
  expect(named).toEqual([]);
});

describe('completion', () => {
  const complete = async (line: string) => {
    const { out } = await runCommand(['completion', 'bash']);
    const words = ['tributary', ...line.split(' ')];
    const script = `${out}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _tributary; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout.split('\n').filter(Boolean);
  };

  test.each([
    ['sour', ['sources']],
    ['sources en', ['enable']],
    ['--json sources cr', ['create']],
    ['sources create --pro', ['--prop', '--prop-json', '--profile']],
    ['events orders --fol', ['--follow']],
    ['admin us', ['usage', 'users']],
    ['admin users set-', ['set-plan']],
    [
      'admin users create --',
      ['--username', '--email', '--plan', '--stack', '--version', '--json', '--debug', '--help'],
    ],
  ])('bash completes %j', async (line, words) => {
    expect((await complete(line)).sort()).toEqual([...words].sort());
  });

  test.each(['zsh', 'fish'])('%s has a script with every command', async (shell) => {
    const { code, out } = await runCommand(['completion', shell]);
    expect(code).toBe(0);
    for (const command of commands) expect(out).toContain(command);
  });

  test('another shell is exit 2', async () => {
    expect(await runCommand(['completion', 'tcsh'])).toMatchObject({ code: 2, out: '' });
  });
});
