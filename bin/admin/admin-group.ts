import type { Command } from 'commander';
import * as z from 'zod';
import { ServiceError } from '../../shared/domain/errors.ts';
import { parseFailure } from '../../shared/domain/parse-failure.ts';
import { SettingsError } from '../settings.ts';
import { type CommandTree, singleOption } from '../tributary/command-tree.ts';
import type { Session } from '../tributary/session/command-session.ts';
import { CommandFailure, refusedFailure, ShownFailure, usageFailure } from '../tributary/failures.ts';
import { addUserEntry } from './audit/user-entry.ts';
import { addAccount, deleteAccount, listAccounts } from './commands/account-commands.ts';
import { backupCommand } from './commands/backup-command.ts';
import { publishComponent } from './commands/component-commands.ts';
import {
  dropDeadLetters,
  listDeadLetters,
  redriveDeadLetters,
  showDeadLetter,
} from './commands/dead-letter-commands.ts';
import { exportIds, importIds } from './commands/kept-ids-commands.ts';
import {
  addOAuthClient,
  deleteOAuthClient,
  listOAuthClients,
  listOAuthProviders,
} from './commands/oauth-client-commands.ts';
import { pauseService, resumeService } from './commands/pause-commands.ts';
import { reconcileCommand } from './commands/reconcile-words.ts';
import { listLostSecrets } from './commands/secrets-commands.ts';
import { removeSignInCommand, setSignInCommand, showSignInCommand } from './commands/sign-in-commands.ts';
import { resumeCommand, suspendCommand } from './commands/suspension-commands.ts';
import { showUsage } from './commands/usage-command.ts';
import { showTarget } from './commands/targets-command.ts';
import { createUser, deleteUser, listUsers, rotateKey, setPlan } from './commands/user-commands.ts';
import { deleteWorkflow, listWorkflows, registerWorkflow } from './commands/workflow-commands.ts';
import { DestroyInput, destroyWords } from './destroy/destroy-words.ts';
import { RestoreInput, restoreWords } from './restore/restore-words.ts';
import { doctorWords, DoctorInput } from './doctor/doctor-words.ts';
import type { OperatorRole } from '../../infra/constructs/operator-roles.ts';
import type { Operate, Operator } from './operator.ts';
import type { Report, TerminalCommand } from './operator-command.ts';
import { unreadableNote } from './unreadable-items.ts';

const GROUPS: readonly { name: string; about: string; commands: readonly TerminalCommand[] }[] = [
  {
    name: 'users',
    about: 'Users, their keys and plans.',
    commands: [
      createUser,
      listUsers,
      rotateKey,
      setPlan,
      suspendCommand,
      resumeCommand,
      exportIds,
      importIds,
      deleteUser,
    ],
  },
  { name: 'components', about: 'The registry of components.', commands: [publishComponent] },
  {
    name: 'workflows',
    about: 'Workflows, which run elsewhere.',
    commands: [registerWorkflow, listWorkflows, deleteWorkflow],
  },
  {
    name: 'accounts',
    about: 'Connected accounts of users.',
    commands: [addAccount, listAccounts, deleteAccount],
  },
  {
    name: 'oauth-clients',
    about: 'OAuth clients at providers, by which users connect accounts.',
    commands: [addOAuthClient, listOAuthClients, deleteOAuthClient, listOAuthProviders],
  },
  {
    name: 'sign-in',
    about: 'Sign-in of people to the console, by OpenID Connect.',
    commands: [setSignInCommand, showSignInCommand, removeSignInCommand],
  },
  { name: 'secrets', about: 'Secrets that users and the operator stored.', commands: [listLostSecrets] },
  {
    name: 'dead-letters',
    about:
      'Messages that failed too often, of the queues runs, deliveries, retries and timers and of schedules. Of runs, the first 10 of each source can be read: redrive or drop those to read the next ones.',
    commands: [listDeadLetters, showDeadLetter, redriveDeadLetters, dropDeadLetters],
  },
];

/** Commands without a group. */
const SINGLE: readonly TerminalCommand[] = [
  pauseService,
  resumeService,
  showUsage,
  backupCommand,
  showTarget,
  reconcileCommand,
];

/** Options of every command here. Other options of `tributary` are refused. */
const Stack = z.string().optional();
const SHARED = { json: z.boolean().optional(), debug: z.boolean().optional(), stack: Stack };
const SHOWN = new Set(['--json', '--debug', '--stack', '--version']);

/** `admin …`, for the operator. */
export function addAdminCommands({ group, leaf }: CommandTree, admin: Command, operate: Operate): void {
  const about = 'stack in your AWS account; without, the service of DATA_DIR (.data), whether it runs or not';
  admin.addOption(singleOption('--stack <name>', about));
  const help = admin.createHelp();
  admin.configureHelp({
    ...admin.configureHelp(),
    visibleGlobalOptions: (command) => help.visibleGlobalOptions(command).filter(({ long }) => SHOWN.has(long ?? '')),
  });
  const add = (parent: Command, { role = 'act', ...command }: TerminalCommand, words: string) => {
    const added = leaf(parent, {
      ...command,
      isStrict: true,
      input: command.input.safeExtend(SHARED),
      run: (session, { json: _json, debug: _debug, stack, ...input }) => {
        const action = { command: words, role, options: input };
        const interrupted = command.isInterruptible === true ? session.terminal.interrupted() : undefined;
        const use = async (operator: Operator) => {
          const report = await command.run(operator, input, session.terminal, interrupted);
          try {
            await addUserEntry(operator, action, report.json);
          } finally {
            show(session, { ...report, unreadable: operator.unreadable.all() });
          }
        };
        return execute(async () => {
          if (stack !== undefined && command.stackRefusal !== undefined) throw refusedFailure(command.stackRefusal);
          await operate(Stack.parse(stack), use, action);
        });
      },
    });
    if (command.stackRefusal === undefined) sayRole(added, role);
  };
  for (const { name, about: theirs, commands } of GROUPS) {
    const parent = group(name, theirs, admin);
    for (const command of commands) add(parent, command, `${name} ${command.usage}`);
  }
  for (const command of SINGLE) add(admin, command, command.usage.replace(/ .*/, ''));
  const restore = leaf(admin, {
    ...restoreWords,
    isStrict: true,
    input: RestoreInput.safeExtend(SHARED),
    run: reporting(async (...both) => (await import('./restore/restore-with.ts')).restoreWith(...both)),
  });
  const destroy = leaf(admin, {
    ...destroyWords,
    isStrict: true,
    input: DestroyInput.safeExtend(SHARED),
    run: reporting(async (...both) => (await import('./destroy/destroy-with.ts')).destroyWith(...both)),
  });
  for (const command of [restore, destroy]) sayRole(command, 'restore');
  leaf(admin, {
    ...doctorWords,
    isStrict: true,
    input: DoctorInput.safeExtend(SHARED),
    run: reporting(async ({ terminal: { env } }, input) => {
      const { diagnose } = await import('./doctor/doctor-command.ts');
      return diagnose(input, { env, operate });
    }),
  });
}

const sayRole = (command: Command, role: OperatorRole): void => {
  command.addHelpText('after', `\nRole of a stack on AWS: ${role} (docs/operations.md).`);
};

const reporting =
  <Input>(report: (session: Session, input: Input) => Promise<Report>) =>
  (session: Session, input: Input): Promise<void> =>
    execute(async () => show(session, await report(session, input)));

/** A key is shown before the service is closed: if that fails, the key is not lost. */
function show({ output }: Session, { json, text, isFailed = false, unreadable = [] }: Report): void {
  output.result(json, text);
  for (const item of unreadable) output.note(unreadableNote(item));
  if (isFailed || unreadable.length > 0) throw new ShownFailure();
}

/** Every error has a sentence for the operator. */
async function execute(work: () => Promise<void>): Promise<void> {
  // The SDK's warning about future Node versions would look like an error on standard error.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof ShownFailure) throw error;
    const unreadable = parseFailure(error);
    const of = error instanceof ServiceError && error.item !== undefined ? ` of ${error.item}` : '';
    if (unreadable !== undefined)
      throw refusedFailure(
        `This release cannot read what is stored${of}: ${unreadable.replace(/\.?$/, '.')} Run the command with the release that wrote it.`,
      );
    const message = error instanceof Error ? error.message : String(error);
    throw error instanceof SettingsError ? usageFailure(message) : refusedFailure(message);
  }
}
