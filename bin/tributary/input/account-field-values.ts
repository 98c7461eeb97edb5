import { plainLine } from '../../plain-text.ts';
import type { Session } from '../session/command-session.ts';
import type { OptionLine } from '../command-tree.ts';
import { usageFailure } from '../failures.ts';
import { assignmentOf } from './prop-values.ts';
import { readAll, textOrFile } from './read-input.ts';

/** Other users of a machine see arguments, so a value may also come from a file or from the standard input. */
export const FIELD: OptionLine = [
  '--field <name=value...>',
  'value of a field; name=@file or name=- for standard input',
];

/** Values of fields by their names, from `--field`. */
export async function fieldValues(
  { terminal }: Pick<Session, 'terminal'>,
  lines: readonly string[] = [],
): Promise<Record<string, string>> {
  const values = new Map<string, string>();
  for (const line of lines) {
    const { name, text } = assignmentOf('--field', line);
    if (values.has(name)) throw usageFailure(`--field names ${name} twice.`);
    values.set(name, await valueOf(terminal, text));
  }
  return Object.fromEntries(values);
}

/** The last line break of a file or of the standard input is no part of a value. */
async function valueOf(terminal: Session['terminal'], text: string): Promise<string> {
  if (text === '-') return withoutLineBreak(await readAll(terminal.stdin));
  const value = await textOrFile(terminal, text);
  return text.startsWith('@') && !text.startsWith('@@') ? withoutLineBreak(value) : value;
}

const withoutLineBreak = (text: string): string => text.replace(/\r?\n$/, '');

/** Asks for these fields, one after the other, without echo. An empty value leaves a field out. */
export async function askForFields(
  { terminal }: Pick<Session, 'terminal'>,
  names: readonly string[],
): Promise<Record<string, string>> {
  const { password } = await import('@inquirer/prompts');
  const values = new Map<string, string>();
  for (const name of names) {
    const value = await password(
      { message: plainLine(`${name}:`) },
      { input: terminal.stdin, output: terminal.stderr },
    );
    if (value !== '') values.set(name, value);
  }
  return Object.fromEntries(values);
}
