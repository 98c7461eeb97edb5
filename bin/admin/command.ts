import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { ServiceError } from '../../shared/domain/errors.ts';
import type { Operator } from './operator.ts';

/** Result of a command: a JSON document for programs, text for people. Contains only keys that the command has just created. */
export interface Answer {
  json: unknown;
  text: string;
  /** Exit code 1, although the command was done: a diagnosis found something wrong. */
  isFailed?: boolean;
}

/** Values by option name; repeatable options are always arrays. */
export type Options = Record<string, string | string[]>;

export interface Command {
  /** Usage text, without the words before the command. */
  usage: string;
  /** Validates the options; throws {@link UsageError}. */
  check(options: Options): void;
  run(operator: Operator, options: Options): Promise<Answer>;
}

/** A wrong command line; exit code 2, with the usage text. */
export class UsageError extends Error {}

/** A valid command that failed; exit code 1, with the message. */
export class CommandError extends Error {}

/** The result of a use case; what it refuses is a {@link CommandError}. */
export async function orCommandError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof ServiceError ? new CommandError(error.message, { cause: error }) : error;
  }
}

/** The options that a schema accepts; throws {@link UsageError} otherwise. */
export function optionsFrom<Schema extends z.ZodObject>(schema: Schema, options: Options): z.output<Schema> {
  const parsed = schema.safeParse(options);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknown !== undefined) throw new UsageError(`--${unknown} is not an option of this command`);
  const option = issue?.path[0];
  throw new UsageError(
    `${option === undefined ? '' : `--${String(option)} `}${issue?.message ?? 'is wrong'}`,
  );
}

/** A command whose options are the members of a schema, written `--kebab-case VALUE`. */
export function command<Schema extends z.ZodObject>(
  usage: string,
  schema: Schema,
  run: (operator: Operator, options: z.output<Schema>) => Promise<Answer>,
): Command {
  return {
    usage,
    check: (options) => void optionsFrom(schema, options),
    run: (operator, options) => run(operator, optionsFrom(schema, options)),
  };
}

export interface CommandLine {
  name: string;
  options: Options;
  json: boolean;
  stack: string | undefined;
}

/** Repeatable options: `--field name=value --field …`. */
const REPEATED = new Set(['field']);
/** Options without a value, by command; `--json` is one of every command. */
const FLAGS: Readonly<Record<string, readonly string[]>> = { doctor: ['account'] };

/** Parses `users create --username NAME --json`. Other options than flags take a value. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...argv], strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const options = Object.create(null) as Options;
  let stack: string | undefined;
  let json = false;
  const flags: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token?.kind === 'positional') words.push(token.value);
    if (token?.kind !== 'option') continue;
    if (token.name === 'json') {
      json = true;
      continue;
    }
    const next = tokens[at + 1];
    const value = token.value ?? (next?.kind === 'positional' ? next.value : undefined);
    if (value === undefined) {
      flags.push(token.name);
      continue;
    }
    if (token.value === undefined) at += 1;
    if (REPEATED.has(token.name)) {
      options[token.name] = [options[token.name] ?? [], value].flat();
      continue;
    }
    if (token.name in options || (token.name === 'stack' && stack !== undefined))
      throw new UsageError(`--${token.name} must not be repeated`);
    if (token.name === 'stack') stack = value;
    else options[token.name] = value;
  }
  const name = words.join(' ');
  for (const flag of flags) {
    if (!(Object.hasOwn(FLAGS, name) && FLAGS[name]?.includes(flag)))
      throw new UsageError(`--${flag} needs a value`);
    options[flag] = '';
  }
  return { name, options: { ...options }, json, stack };
}
