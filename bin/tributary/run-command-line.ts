import { CommanderError } from 'commander';
import { inspect } from 'node:util';
import { CommandFailure, failureText, refusedFailure, ShownFailure, usageFailure } from './failures.ts';
import { plainJson, plainLines } from '../plain-text.ts';
import { createProgram } from './program.ts';
import type { ServiceAccess } from './commands/service-group.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line and returns the exit code. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  service: ServiceAccess,
): Promise<number> {
  const { program } = createProgram(terminal, service);
  try {
    if (argv.length === 0) {
      program.outputHelp();
      return 0;
    }
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof ShownFailure) return 1;
    const failure = failureFrom(error);
    // Errors of the operator's commands are sentences.
    const isJson = argv.includes('--json') && program.args[0] !== 'admin';
    if (argv.includes('--debug') && !(error instanceof CommandFailure))
      terminal.stderr.write(`${plainLines(inspect(error))}\n`);
    terminal.stderr.write(`${isJson ? plainJson(JSON.stringify(failure.report)) : plainLines(failureText(failure))}\n`);
    return failure.exitCode;
  }
}

function failureFrom(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  if (error instanceof CommanderError) return usageFailure(sentenceOf(error));
  // The prompts' own error for Ctrl-C.
  if (error instanceof Error && error.name === 'ExitPromptError')
    return refusedFailure('Nothing was changed.', 'not_confirmed');
  // A bug, or an obstacle of this machine such as a full disk.
  const message = error instanceof Error ? error.message : String(error);
  return refusedFailure(`The command failed: ${message}`, 'unexpected');
}

/** `error: unknown option '--jsn'\n(Did you mean --json?)` → `Unknown option '--jsn'. Did you mean --json?` */
function sentenceOf({ message, code }: CommanderError): string {
  if (code === 'commander.help') return 'A command is missing.';
  // The value of a misspelt option may be a secret.
  const shown = message.replace(/^error: /, '').replace(/^(unknown option '[^'=]*=)[^]*'/, "$1…'");
  const [problem = '', ...hints] = shown.split('\n');
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.$/, '')}.`;
  if (code === 'commander.excessArguments') hints.push('Its --help shows what it takes.');
  return [sentence, ...hints.map((hint) => hint.replace(/^\((.*)\)$/, '$1'))].join(' ');
}
