import { type Argument, type Command, type CommanderError, Option } from 'commander';
import * as z from 'zod';
import { type CommandFailure, usageFailure } from './failures.ts';
import { createSession, GlobalOptions, type Session } from './session/command-session.ts';
import type { Terminal } from './terminal.ts';

/** Flags, and their meaning. */
export type OptionLine = readonly [flags: string, about: string];
/** A command line, and its effect. */
type Example = readonly [line: string, effect: string];

export interface CommandWords {
  /** Name and arguments, such as `get <source>`. */
  usage: string;
  about: string;
  options?: readonly OptionLine[];
  examples: readonly [Example, Example];
}

interface Leaf<Input extends z.ZodType> extends CommandWords {
  /** Arguments and options by name. */
  input: Input;
  /** Refuses a repeated option; otherwise its last value counts. */
  isStrict?: boolean;
  run(session: Session, input: z.output<Input>): Promise<void>;
}

export interface CommandTree {
  readonly program: Command;
  group(name: string, about: string, parent?: Command): Command;
  /** A group whose commands are loaded when it is typed. */
  lazyGroup(name: string, about: string, load: (group: Command) => Promise<void>): void;
  /** Loads the commands of every group. */
  loadAll(): Promise<void>;
  /** Adds a command below a group or another command. */
  leaf<Input extends z.ZodType>(parent: Command, definition: Leaf<Input>): Command;
}

/** `-p, --prop <k=v...>` may be repeated; each takes one value. */
const REPEATED = /\.\.\.>$/;

export function createCommandTree(program: Command, terminal: Terminal): CommandTree {
  const examplesOf = new Map<Command, (readonly [Example, Example])[]>();
  const loads = new Map<Command, () => Promise<void>>();
  program.hook('preSubcommand', (_, command) => loads.get(command)?.());

  function leaf<Input extends z.ZodType>(parent: Command, definition: Leaf<Input>): Command {
    const { usage, about, options = [], input, examples, isStrict = false, run } = definition;
    const command = withSettings(parent.command(usage), parent).description(about);
    for (const [flags, description] of options) command.addOption(optionOf(flags, description, isStrict));
    command.exitOverride((error) => {
      throw missingArgument(command, error) ?? error;
    });
    command.addHelpText('after', exampleText(examples));
    for (let above: Command | null = parent; above; above = above.parent)
      examplesOf.set(above, [...(examplesOf.get(above) ?? []), examples]);
    command.action(async () => {
      const values: Record<string, unknown> = command.optsWithGlobals();
      const session = createSession(terminal, GlobalOptions.parse(values));
      // An argument may be named as a global option: `webhooks create <url>`.
      await run(session, read(command, input, { ...values, ...argumentsOf(command) }));
    });
    return command;
  }

  function group(name: string, about: string, parent = program): Command {
    const added = withSettings(parent.command(name), parent).description(about);
    added.exitOverride((error) => {
      throw missingCommand(added, error) ?? unknownCommand(added, error) ?? error;
    });
    return added.addHelpText('after', () => exampleText(ofGroup(examplesOf.get(added) ?? [])));
  }

  function lazyGroup(name: string, about: string, load: (group: Command) => Promise<void>): void {
    const added = group(name, about);
    let loaded: Promise<void> | undefined;
    loads.set(added, () => (loaded ??= load(added)));
  }

  async function loadAll(): Promise<void> {
    for (const load of loads.values()) await load();
  }

  return { program, group, lazyGroup, loadAll, leaf };
}

/** The first example of two commands, or both of the only one. */
const ofGroup = (examples: readonly (readonly [Example, Example])[]): readonly Example[] =>
  examples.length === 1 ? examples.flat() : examples.slice(0, 2).map(([first]) => first);

/** The words of a command: `sources get`. */
const wordsOf = (command: Command): string =>
  command.parent ? `${wordsOf(command.parent)} ${command.name()}` : command.name();

function missingArgument(command: Command, { code, message }: CommanderError): CommandFailure | undefined {
  const [, name] = /'(.*)'/.exec(message) ?? [];
  if (code !== 'commander.missingArgument' || name === undefined) return undefined;
  const line = [wordsOf(command), ...command.registeredArguments.map(argumentText)].join(' ');
  return usageFailure(`The argument ${name} is missing: ${line}.`);
}

const argumentText = (argument: Argument): string =>
  argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;

function missingCommand(group: Command, { code, exitCode }: CommanderError): CommandFailure | undefined {
  if (code !== 'commander.help' || exitCode === 0) return undefined;
  const names = group.commands.map((command) => command.name());
  return usageFailure(`A command is missing after ${wordsOf(group)}: ${names.join(', ')}.`);
}

/** Names the commands of the group, unless one of them is close to what was typed. */
function unknownCommand(group: Command, { code, message }: CommanderError): CommandFailure | undefined {
  const [, name] = /unknown command '(.*)'$/.exec(message) ?? [];
  if (code !== 'commander.unknownCommand' || name === undefined) return undefined;
  const names = group.commands.map((command) => command.name());
  return usageFailure(`Unknown command '${name}'. ${wordsOf(group)} has ${names.join(', ')}.`);
}

/** `command()` copies some settings only when it is called. */
const withSettings = (command: Command, parent: Command): Command => command.copyInheritedSettings(parent);

/** An option that is refused when it is repeated. */
export function singleOption(flags: string, about: string): Option {
  const option = new Option(flags, about);
  return option.argParser((value: string, before: unknown) => {
    if (before !== undefined) throw usageFailure(`${option.long} must not be repeated.`);
    return value;
  });
}

function optionOf(flags: string, about: string, isStrict: boolean): Option {
  if (!REPEATED.test(flags)) return isStrict ? singleOption(flags, about) : new Option(flags, about);
  const collect = (value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value];
  return new Option(flags.replace('...>', '>'), `${about} (repeatable)`).argParser(collect);
}

/**
 * Values of the arguments by their names. An absent one is undefined: a global option of its name must not take its
 * place.
 */
function argumentsOf(command: Command): Record<string, unknown> {
  const values: unknown[] = command.processedArgs;
  return Object.fromEntries(command.registeredArguments.map((argument, at) => [argument.name(), values[at]]));
}

function read<Input extends z.ZodType>(command: Command, schema: Input, values: unknown): z.output<Input> {
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw usageFailure(`--${kebab(issue.keys[0] ?? '')} is not an option of this command.`);
  if (issue?.path.length === 0) throw usageFailure(`${issue.message}.`);
  const name = String(issue?.path[0]);
  const isArgument = command.registeredArguments.some((argument) => argument.name() === name);
  const field = isArgument ? `The argument ${name}` : optionNamed(command, name);
  throw usageFailure(`${field} ${issue?.message ?? 'is wrong'}.`);
}

/** `-n (--limit)`: either of both may have been typed. */
function optionNamed(command: Command, name: string): string {
  const short = command.options.find((option) => option.attributeName() === name)?.short;
  return short === undefined ? `--${kebab(name)}` : `${short} (--${kebab(name)})`;
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const exampleText = (examples: readonly Example[]): string =>
  ['', 'Examples:', ...examples.map(([line, effect]) => `  $ ${line}\n      ${effect}`)].join('\n');

/** A whole number of an option. */
export const Count = z
  .string()
  .regex(/^[1-9]\d{0,5}$/, 'must be a whole number, 1 or more')
  .transform(Number);
