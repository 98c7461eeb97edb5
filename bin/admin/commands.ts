import { addAccount, deleteAccount, listAccounts } from './account-commands.ts';
import { type Answer, type Command, type Options, UsageError } from './command.ts';
import { publishComponent } from './component-commands.ts';
import {
  dropDeadLetters,
  listDeadLetters,
  redriveDeadLetters,
  showDeadLetter,
} from './dead-letter-commands.ts';
import { doctor } from './doctor.ts';
import type { Operator } from './operator.ts';
import { createUser, deleteUser, listUsers, rotateKey, setPlan } from './user-commands.ts';
import { deleteWorkflow, listWorkflows, registerWorkflow } from './workflow-commands.ts';

const commands: Readonly<Record<string, Command>> = {
  'users create': createUser,
  'users list': listUsers,
  'users rotate-key': rotateKey,
  'users set-plan': setPlan,
  'users delete': deleteUser,
  'components publish': publishComponent,
  'workflows register': registerWorkflow,
  'workflows list': listWorkflows,
  'workflows delete': deleteWorkflow,
  'accounts add': addAccount,
  'accounts list': listAccounts,
  'accounts delete': deleteAccount,
  'dead-letters list': listDeadLetters,
  'dead-letters show': showDeadLetter,
  'dead-letters redrive': redriveDeadLetters,
  'dead-letters drop': dropDeadLetters,
};

/** The help text. `program` is the words before a command. */
export const usageOf = (program: string): string =>
  [
    `Usage: ${program} COMMAND [--json] [--stack NAME]`,
    '',
    ...Object.values(commands).map((command) => `  ${command.usage}`),
    `  ${doctor.usage}`,
    '',
    'QUEUE is runs, deliveries, retries or timers. Of runs, only the first 10 dead letters of each source can be read:',
    'redrive or drop those to read the next ones.',
    'Without --stack, a command uses the data directory DATA_DIR (default .data), whether its service runs or not.',
    'With --stack, it uses the stack of that name in your AWS account. --json prints only one JSON document.',
  ].join('\n');

export function commandNamed(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command) return command;
  throw new UsageError(name === '' ? 'A command is needed' : `There is no command ${JSON.stringify(name)}`);
}

export const executeCommand = (operator: Operator, name: string, options: Options): Promise<Answer> =>
  commandNamed(name).run(operator, options);
