import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { jsonProblem } from '../../../shared/lib/json-problem.ts';
import { refusedFailure, usageFailure } from '../failures.ts';
import type { Terminal } from '../terminal.ts';

export async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks).toString('utf8');
}

/** A file that a command names; `-` is the standard input. */
export async function readNamedFile({ cwd, stdin }: Terminal, path: string): Promise<string> {
  if (path === '-') return readAll(stdin);
  return readTextFile(resolve(cwd, path), path);
}

/** The text of a file; the message of a failure names it as shown. */
export const readTextFile = (path: string, shown: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refusedFailure(`The file ${shown} cannot be read: ${reasonOf(error)}.`, 'file_unreadable');
  });

const REASONS = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'you may not read it'],
]);

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => REASONS.get(code) ?? message;

/** The text of `@file`, of `@@text` without its first @, and of other text itself. */
export async function textOrFile(terminal: Terminal, text: string): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1);
  return text.startsWith('@') ? readNamedFile(terminal, text.slice(1)) : text;
}

/** JSON, or the file of `@file`. */
export async function jsonOrFile(terminal: Terminal, option: string, text: string): Promise<unknown> {
  return parseJson(option, await textOrFile(terminal, text));
}

/** `what` names the text in the message of a failure. */
export function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageFailure(`${what} must be JSON: ${jsonProblem(text)}.`);
  }
}
