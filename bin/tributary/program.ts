import { Command, Option } from 'commander';
import { VERSION } from '../../shared/domain/version.ts';
import { addAccountCommands } from './commands/account-group.ts';
import { addActivityCommand } from './commands/activity-group.ts';
import { addAuditCommand } from './keys/audit-command.ts';
import { type CommandTree, createCommandTree } from './command-tree.ts';
import { addCompletionCommand } from './commands/completion-group.ts';
import { addComponentCommands } from './commands/component-group.ts';
import { addDeliveryCommands } from './commands/delivery-group.ts';
import { addDevCommand } from './dev/dev-group.ts';
import { addEventCommands } from './commands/event-group.ts';
import { addKeyCommands } from './keys/key-group.ts';
import { addListenCommand } from './commands/listen-group.ts';
import { addLogCommands } from './commands/log-group.ts';
import { addNewCommands } from './commands/new-group.ts';
import { addOpenCommand } from './commands/open-group.ts';
import { addProfileCommands } from './commands/profile-group.ts';
import { addServiceCommands, type ServiceAccess } from './commands/service-group.ts';
import { addNoticeCommands } from './notices/notice-group.ts';
import { addSourceCommands } from './commands/source-group.ts';
import { addSubscriptionCommands } from './commands/subscription-group.ts';
import { addStatusCommand } from './commands/status-command.ts';
import type { Terminal } from './terminal.ts';
import { addTransferCommands } from './transfer/transfer-group.ts';
import { addWebhookCommands } from './commands/webhook-group.ts';
import { addWorkflowCommands } from './commands/workflow-group.ts';

const EPILOGUE = `
Address and key come from --url and --key, else TRIBUTARY_URL and TRIBUTARY_API_KEY, else a profile (tributary login),
else a service that runs here. "tributary COMMAND --help" shows a command's options and examples.

Examples:
  $ tributary new webhook orders.mjs && tributary dev orders.mjs
      runs a new component while you edit it
  $ tributary events orders -f
      follows the events of a source`;

/** All commands. Errors and help that were not asked for become exceptions. */
export function createProgram(terminal: Terminal, service: ServiceAccess): CommandTree {
  const program = new Command('tributary')
    .description('Event sources, subscriptions and webhooks of a Tributary service.')
    .version(VERSION, '-V, --version', 'print the version')
    .option('--url <address>', 'address of the service')
    .option('--key <key>', 'API key')
    .option('--profile <name>', 'profile to use')
    .option('--json', 'print JSON')
    .option('-q, --quiet', 'print ids only')
    .addOption(new Option('-o, --output <format>', 'wide: all columns, uncut, with dates').choices(['wide']))
    .option('--debug', 'print requests on stderr')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // Errors are printed once, by the caller.
      writeErr: () => undefined,
      getOutHelpWidth: () => terminal.stdout.columns ?? 80,
    })
    .exitOverride()
    .addHelpText('after', EPILOGUE);

  const tree = createCommandTree(program, terminal);
  addProfileCommands(tree);
  addComponentCommands(tree);
  addNewCommands(tree);
  addSourceCommands(tree);
  addDevCommand(tree);
  addEventCommands(tree);
  addLogCommands(tree);
  addListenCommand(tree);
  addWebhookCommands(tree);
  addDeliveryCommands(tree);
  addSubscriptionCommands(tree);
  addNoticeCommands(tree);
  addWorkflowCommands(tree);
  addAccountCommands(tree);
  addKeyCommands(tree);
  addAuditCommand(tree);
  addActivityCommand(tree);
  addStatusCommand(tree);
  addTransferCommands(tree);
  addOpenCommand(tree);
  addServiceCommands(tree, service);
  addCompletionCommand(tree);
  return tree;
}
