import { parseArgs } from 'node:util';
import * as z from 'zod';

/** A program of this repository that a developer starts with arguments. */
interface Program<Names extends string[], Options extends z.ZodRawShape> {
  /** The line that starts it, with its arguments. */
  usage: string;
  does: string;
  names: z.ZodType<Names, string[]>;
  /** Options by their names; a flag is a boolean, any other value is read from text. */
  options: Options;
}

interface Arguments<Names, Options extends z.ZodRawShape> {
  names: Names;
  values: z.infer<z.ZodObject<Options>>;
}

const NUMBER_ERROR = 'must be a number above 0.';
export const positiveNumber = z.string().transform(Number).pipe(z.number(NUMBER_ERROR).positive(NUMBER_ERROR));

export const noNames = z.array(z.string()).refine((names): names is [] => names.length === 0, {
  error: 'The command takes options only.',
});

/** The arguments of this process. `--help` and wrong arguments end it with a text. */
export function programArguments<Names extends string[], Options extends z.ZodRawShape>(
  program: Program<Names, Options>,
): Arguments<Names, Options> {
  const read = readArguments(program, process.argv.slice(2));
  if ('names' in read) return read;
  const { text, exitCode } = read;
  (exitCode === 0 ? process.stdout : process.stderr).write(`${text}\n`);
  return process.exit(exitCode);
}

export function readArguments<Names extends string[], Options extends z.ZodRawShape>(
  program: Program<Names, Options>,
  argv: string[],
): Arguments<Names, Options> | { text: string; exitCode: number } {
  const wrong = (text: string) => ({ text, exitCode: 2 });
  const known = Object.keys(program.options);
  const { tokens } = parseArgs({
    args: argv,
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      known.map((name) => [name, { type: isFlag(program.options[name]) ? 'boolean' : 'string' }] as const),
    ),
  });
  const positionals: string[] = [];
  const texts = new Map<string, string | boolean>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    if (token.name === 'help' || token.name === 'h') return { text: helpOf(program), exitCode: 0 };
    if (!known.includes(token.name))
      return wrong(`There is no option ${token.rawName}; ${listOf([...known, 'help'])}.`);
    if (isFlag(program.options[token.name]) !== (token.value === undefined))
      return wrong(`${token.rawName} takes ${token.value === undefined ? 'a value' : 'no value'}.`);
    texts.set(token.name, token.value ?? true);
  }
  const names = program.names.safeParse(positionals);
  if (!names.success) return wrong(`${names.error.issues[0]?.message}`);
  const values = z.object(program.options).safeParse(Object.fromEntries(texts));
  if (values.success) return { names: names.data, values: values.data };
  const [issue] = values.error.issues;
  return wrong(`--${String(issue?.path[0])} ${issue?.message}`);
}

const isFlag = (option: z.core.$ZodType | undefined): boolean =>
  option !== undefined && z.safeParse(option, true).success;

const listOf = (options: string[]): string =>
  `there ${options.length === 1 ? 'is' : 'are'} ${options.map((name) => `--${name}`).join(', ')}`;

function helpOf({ usage, does, options }: Program<string[], z.ZodRawShape>): string {
  const width = Math.max(...Object.keys(options).map((name) => name.length), 'help'.length);
  const lines = Object.entries(options).map(
    ([name, option]) => `  --${name.padEnd(width)}  ${z.globalRegistry.get(option)?.description ?? ''}`,
  );
  return [`Usage: ${usage}`, '', does, '', 'Options:', ...lines, `  --${'help'.padEnd(width)}  prints this text`].join(
    '\n',
  );
}
