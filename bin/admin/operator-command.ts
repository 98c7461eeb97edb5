import type * as z from 'zod';
import type { UnreadableItem } from '../../shared/domain/unreadable.ts';
import type { OperatorRole } from '../../infra/constructs/operator-roles.ts';
import type { CommandWords } from '../tributary/command-tree.ts';
import type { Terminal } from '../tributary/terminal.ts';
import type { Operator } from './operator.ts';

/**
 * Result of a command: a JSON document for programs, text for people. Contains only keys that the command has just
 * created.
 */
export interface Report {
  json: object;
  text: string;
  /** Exit code 1, although the command was done: a diagnosis found something wrong. */
  isFailed?: boolean;
  /** The items that the command could not read: each gets a sentence, and the exit code is 1. */
  unreadable?: readonly UnreadableItem[];
}

/** A command that works on a service, of the data directory or of a stack on AWS. */
export interface TerminalCommand<Input extends z.ZodObject = z.ZodObject> extends CommandWords {
  /** The role of the stack that has the rights for it; `act` by default. */
  role?: OperatorRole;
  /** Why the command works on no stack. */
  stackRefusal?: string;
  /** Ctrl-C ends it in its own way, also while the service is being opened. */
  isInterruptible?: boolean;
  /** Options by name. */
  input: Input;
  run(
    operator: Operator,
    input: z.output<Input>,
    terminal: Terminal,
    interrupted: AbortSignal | undefined,
  ): Promise<Report>;
}

/** A command that needs no terminal. */
export interface OperatorCommand<Input extends z.ZodObject = z.ZodObject> extends TerminalCommand<Input> {
  run(operator: Operator, input: z.output<Input>): Promise<Report>;
}

/** Infers the type of the options. */
export const operatorCommand = <Input extends z.ZodObject>(command: OperatorCommand<Input>): OperatorCommand<Input> =>
  command;
