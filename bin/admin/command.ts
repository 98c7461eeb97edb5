import { parseArgs } from 'node:util';
import type * as z from 'zod';
import type { Operator } from './operator.ts';

/** What a command answers: one document for programs, lines for people. Neither ever holds a key that was not just made. */
export interface Answer {
  json: unknown;
  text: string;
}

/** By name; those that may be repeated are always lists. */
export type Options = Record<string, string | string[]>;

export interface Command {
  /** As the usage shows it, behind `npm run --silent admin --`. */
  usage: string;
  /** Throws {@link UsageError} before anything is touched. */
  check(options: Options): void;
  run(operator: Operator, options: Options): Promise<Answer>;
}

/** The command line is wrong: exit 2 and the usage. */
export class UsageError extends Error {}

/** The command was understood and could not be done: exit 1 and the sentence. */
export class CommandError extends Error {}

/** A command whose options are the members of a schema, each written `--kebab-case VALUE`. */
export function command<Schema extends z.ZodObject>(
  usage: string,
  schema: Schema,
  run: (operator: Operator, options: z.output<Schema>) => Promise<Answer>,
): Command {
  function check(given: Options): z.output<Schema> {
    const parsed = schema.safeParse(given);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    if (unknown !== undefined) throw new UsageError(`--${unknown} is no option of this command`);
    const option = issue?.path[0];
    throw new UsageError(
      `${option === undefined ? '' : `--${String(option)} `}${issue?.message ?? 'is wrong'}`,
    );
  }
  return { usage, check, run: (operator, given) => run(operator, check(given)) };
}

export interface CommandLine {
  name: string;
  options: Options;
  json: boolean;
  stack: string | undefined;
}

/** `--field name=value --field …` */
const REPEATED = new Set(['field']);

/** `users create --username NAME --json` → its parts. Every option takes a value, but `--json`. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...argv], strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const options = Object.create(null) as Options;
  let stack: string | undefined;
  let json = false;
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
    if (value === undefined) throw new UsageError(`--${token.name} needs a value`);
    if (token.value === undefined) at += 1;
    if (REPEATED.has(token.name)) {
      options[token.name] = [options[token.name] ?? [], value].flat();
      continue;
    }
    if (token.name in options || (token.name === 'stack' && stack !== undefined))
      throw new UsageError(`--${token.name} is given twice`);
    if (token.name === 'stack') stack = value;
    else options[token.name] = value;
  }
  return { name: words.join(' '), options: { ...options }, json, stack };
}
