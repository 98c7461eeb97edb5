import type { OptionLine } from '../command-tree.ts';
import { textOrFile } from './read-input.ts';
import type { Terminal } from '../terminal.ts';

export const SECRET_VARIABLE = 'TRIBUTARY_WEBHOOK_SECRET';

/** Other users of a machine see arguments, so a secret may also come from a file or a variable. */
export const SECRET: OptionLine = ['--secret <secret>', `signing secret, or @file; ${SECRET_VARIABLE} otherwise`];

/** The signing secret of the option, else of the variable. */
export async function signingSecret(terminal: Terminal, option: string | undefined): Promise<string | undefined> {
  const text = (await textOrFile(terminal, option ?? terminal.env[SECRET_VARIABLE] ?? '')).trim();
  return text === '' ? undefined : text;
}
